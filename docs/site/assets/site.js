// A plain script: pages that are opened as files cannot load modules.
;(() => {
  const field = document.getElementById('search')
  const found = document.getElementById('found')
  const base = document.documentElement.dataset.base
  let index
  let chosen = -1

  /** Made when somebody searches for the first time. */
  function search(words) {
    index ??= makeIndex()
    return index.search(words).slice(0, 12)
  }

  function makeIndex() {
    const made = new window.MiniSearch({
      fields: ['heading', 'title', 'text'],
      storeFields: ['page', 'title', 'heading', 'text'],
      searchOptions: {
        boost: { heading: 4, title: 3 },
        prefix: true,
        fuzzy: 0.15,
        combineWith: 'AND',
      },
    })
    made.addAll(window.searchEntries)
    return made
  }

  function show() {
    const words = field.value.trim()
    found.replaceChildren()
    chosen = -1
    const results = words ? search(words) : []
    for (const [at, result] of results.entries()) {
      const item = document.createElement('li')
      item.id = `found-${at}`
      item.setAttribute('role', 'option')
      const link = document.createElement('a')
      link.href = base + result.page
      link.textContent = result.heading || result.title
      link.tabIndex = -1
      const about = document.createElement('small')
      const head = result.heading ? `${result.title}: ` : ''
      about.textContent = head + around(result.text, words)
      link.append(about)
      item.append(link)
      found.append(item)
    }
    if (words && results.length === 0) {
      const none = document.createElement('li')
      none.className = 'none'
      none.textContent = 'Nothing was found.'
      found.append(none)
    }
    found.hidden = !words
    field.setAttribute('aria-expanded', String(Boolean(words)))
    choose(results.length > 0 ? 0 : -1)
  }

  /** The words around the first place where one of them is. */
  function around(text, words) {
    const small = text.toLowerCase()
    const first = words.toLowerCase().split(/\s+/)[0]
    const at = Math.max(0, small.indexOf(first) - 30)
    return (at > 0 ? '…' : '') + text.slice(at, at + 120)
  }

  function choose(at) {
    const items = [...found.querySelectorAll('[role=option]')]
    if (items.length === 0) {
      field.removeAttribute('aria-activedescendant')
      return
    }
    chosen = (at + items.length) % items.length
    for (const [place, item] of items.entries()) {
      item.setAttribute('aria-selected', String(place === chosen))
    }
    field.setAttribute('aria-activedescendant', items[chosen].id)
    items[chosen].scrollIntoView({ block: 'nearest' })
  }

  function close() {
    found.hidden = true
    field.setAttribute('aria-expanded', 'false')
  }

  field.addEventListener('input', show)
  field.addEventListener('focus', () => field.value && show())
  field.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(chosen + 1)
    else if (event.key === 'ArrowUp') choose(chosen - 1)
    else if (event.key === 'Enter') {
      const link = found.querySelector('[aria-selected=true] a')
      if (!link) return
      close()
      location.href = link.href
    } else if (event.key === 'Escape') {
      close()
      field.blur()
    } else return
    event.preventDefault()
  })
  document.addEventListener('click', ({ target }) => {
    if (!target.closest('.search') || target.closest('#found a')) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea')
    const isSlash = event.key === '/' && !isTyping
    const isK = event.key === 'k' && (event.ctrlKey || event.metaKey)
    if (!isSlash && !isK) return
    event.preventDefault()
    field.focus()
    field.select()
  })

  const menu = document.getElementById('menu')
  menu.addEventListener('click', () => {
    const isOpen = document.getElementById('pages').classList.toggle('open')
    menu.setAttribute('aria-expanded', String(isOpen))
  })
})()
