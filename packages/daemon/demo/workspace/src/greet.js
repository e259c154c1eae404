export function greet(name) {
  return `Good morning, ${name}!`
}
