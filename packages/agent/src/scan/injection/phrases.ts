interface Phrase {
  readonly kind: string
  readonly pattern: RegExp
}

// A command stands at the beginning of a clause.
const clause =
  '(?<=^|[\\n.!?:;,>\\]})"\'“”`*|#。！？：，-]\\s{0,3}|\\b(?:please|now|must|should|to|and|then|so|kindly|just|you|also|important|bitte|jetzt|por favor|ahora|veuillez|maintenant)[:,]? )'

const earlier =
  '(?:previous|prior|above|earlier|preceding|foregoing|existing|original|initial|former|system|developer|safety|current|past)'
const orders =
  '(?:instructions?|prompts?|directives?|guidelines|directions|commands|rules|constraints|messages|context|programming|training|restrictions|guardrails)'

/** Lines end anywhere, and blanks are of any kind. */
function phrase(kind: string, source: string): Phrase {
  const spaced = source.replaceAll(' ', '(?:\\s{1,4})')
  return { kind, pattern: new RegExp(spaced, 'giu') }
}

const english = [
  phrase(
    'override',
    `${clause}(?:ignore|disregard(?! for)|forget|override|bypass|neglect|discard|do not follow|don't follow|stop following)(?: about)?(?: all| any| every| each)?(?: of)?(?: the| your| my| these| those| our| its)?(?: \\w{1,12}(?: and| or)?)? ${earlier}(?: (?:and|or) ${earlier})?(?: \\w{1,12})? ${orders}\\b`,
  ),
  phrase(
    'override',
    `${clause}(?:ignore|disregard|forget|override|bypass|discard)(?: all| any)?(?: of)? (?:your|everything|all|the)(?: \\w{1,12})? (?:instructions?|guidelines|programming|training|restrictions|guardrails|directives|(?:you (?:were|have been|are) (?:told|instructed|taught))|(?:above|before this))\\b`,
  ),
  phrase(
    'override',
    `\\b(?:new|updated|revised|real|actual|higher(?:-| )priority) (?:system )?(?:instructions?|directives?|system prompt|task)(?: for (?:the )?(?:ai|assistant|agent|model|llm))?\\s?:`,
  ),
  phrase(
    'override',
    `\\b(?:you are now|from now on,? you (?:are|will|must)|act as|pretend to be|you must now act as|switch to|enter) (?:in |an? |the )?(?:dan\\b|developer mode|jailbr\\w{1,8}|unrestricted|unfiltered|evil|different (?:ai|assistant)|(?:\\w{1,12} )?(?:mode without|without (?:any )?(?:restrictions|rules|limits)))`,
  ),
  phrase(
    'override',
    `\\b(?:attention,?|(?:attention|note|message|notice|instructions?|important) (?:to|for))(?: the| any| all)?(?: \\w{1,10})? (?:ai|a\\.i\\.|llms?|language models?|ai agents?|ai assistants?|chatbots?|assistant|agent)(?: \\w{1,12}){0,4}\\s?[:!]`,
  ),
  phrase(
    'override',
    `\\b(?:if you are|as) an? (?:ai|llm|language model|ai assistant|ai agent|assistant)(?! (?:enthusiast|engineer|research|develop|expert|compan|student|profess|user))(?: \\w{1,12}){0,6},? (?:you must|you should|you have to|please|do|send|include|output|reply|respond|ignore|say|add|visit|call|run)\\b`,
  ),
  phrase(
    'secrecy',
    `(?:${clause}(?:do not|don't|never)(?: ever)?|\\bwithout) (?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?|disclos(?:e|ing)|show(?:ing)?(?= (?:this|it|that|any)))(?: (?:this|it|that|any of this|anything))?(?: to)? (?:the )?(?:user|human|operator|owner)s?\\b`,
  ),
  phrase(
    'secrecy',
    `${clause}(?:reveal|print|output|repeat|show|leak|expose|disclose|send|give)(?: me| us)?(?: back)?(?: all(?: of)?)? (?:(?:your|the)(?: (?:full|entire|complete|hidden|secret|initial|original|exact))* (?:system prompt|developer message|hidden instructions|initial instructions|secret keys?)|your(?: (?:full|entire|complete|hidden|secret|initial|original|exact))* (?:system message|api keys?|credentials|environment variables))\\b`,
  ),
  phrase(
    'secrecy',
    `${clause}(?:send|give|show|tell|email) (?:me|us)(?: all(?: of)?)? (?:the|any)(?: \\w{1,12})? (?:credentials|api keys?|passwords|environment variables|system message)\\b`,
  ),
  phrase(
    'tool-use',
    `${clause}(?:call|use|invoke|execute|run|trigger)(?: the)? [\`'"]?(?!(?:the|this|that|your|our|an)\\b)\\w{2,30}[\`'"]? (?:tool|function)(?: (?:to|with|and)) (?:send|delete|remove|transfer|email|post|upload|exfiltrate|forward|read|fetch|write|share|wipe|drop)\\b`,
  ),
  phrase(
    'exfiltration',
    `${clause}(?:send|post|upload|forward|exfiltrate|transmit|email|submit|leak|append)(?: me| us)? (?:all |any |the |your |this |these |every )(?!questions? |feedback |comments? |application |bugs? )(?:[\\w'.-]{1,14} ){0,8}(?:to|at) (?:https?://|[\\w.+-]{1,40}@|(?:the )?(?:attacker|following (?:url|address|server|endpoint|webhook)))`,
  ),
]

const others = [
  // German
  phrase(
    'override',
    `(?:ignorier(?:e|en sie)?|vergiss|vergessen sie|missachte|überschreibe)(?: bitte| jetzt)?(?: alle| sämtliche| deine| ihre| die| alles)?(?: deine| ihre| die| der)? ?(?:vorherigen|bisherigen|vorigen|obigen|früheren|vorangegangenen|ursprünglichen|bestehenden)? ?(?:anweisungen|instruktionen|vorgaben|befehle|regeln der entwickler|systemanweisungen|was dir gesagt wurde)`,
  ),
  phrase(
    'override',
    'du bist (?:jetzt|nun|ab sofort) (?:ein|eine|der|die|im) \\p{L}{2,20}|(?:neue|wichtige) (?:anweisung(?:en)?|instruktion(?:en)?) (?:an|für) (?:die |den |das )?(?:ki|assistent|agent|modell)\\p{L}{0,4}',
  ),
  phrase(
    'secrecy',
    '(?:sag|verrate|erzähle|erwähne|sagen sie|teile)(?: es| das| dies| davon)?(?: dem| der| den)? (?:nutzer|benutzer|anwender|user)(?:in|n)? (?:nichts|nicht)|(?:gib|zeige|nenne)(?: mir)? (?:deinen|den) (?:system-?prompt|systemprompt)',
  ),
  phrase(
    'exfiltration',
    '(?:sende|schicke|übermittle|leite)(?: mir)? (?:alle|die|das|den|sämtliche) [^.\\n]{1,60} (?:an|nach|zu) (?:https?://|[\\w.+-]{1,40}@)',
  ),
  // Spanish
  phrase(
    'override',
    '(?:ignora|ignore|ignorad|olvida|olvide|descarta|omite)(?: por favor)?(?: todas| todos| cualquier)?(?: las| los| tus| sus)? (?:instrucciones|indicaciones|órdenes|directrices|reglas)(?: \\p{L}{2,12})? ?(?:anteriores|previas|del sistema|originales|recibidas)?',
  ),
  phrase(
    'override',
    '(?:ahora eres|a partir de ahora(?:,)? (?:eres|serás|debes)) (?:un|una|el|la|en) \\p{L}{2,20}|(?:nuevas )?instrucci(?:ón|ones) para (?:el |la )?(?:ia|asistente|modelo|agente)',
  ),
  phrase(
    'secrecy',
    'no (?:le )?(?:digas|menciones|reveles|informes|cuentes)(?: nada| esto| lo)?(?: de esto)? ?(?:al|a la|a los) usuari[oa]s?|(?:revela|muestra|imprime) (?:tu|el) (?:prompt|mensaje) del? sistema',
  ),
  phrase(
    'exfiltration',
    '(?:envía|manda|reenvía|sube|publica) (?:todos?|todas?|el|la|los|las|tu) [^.\\n]{1,60} a (?:https?://|[\\w.+-]{1,40}@)',
  ),
  // French
  phrase(
    'override',
    '(?:ignore|ignorez|oublie|oubliez|ne tiens pas compte de|ne tenez pas compte de|ne tiens pas compte|ne tenez pas compte)(?: toutes| tous)?(?: les| tes| vos| des)? (?:instructions|consignes|directives|règles|ordres)(?: \\p{L}{2,12})? ?(?:précédentes|précédents|antérieures|ci-dessus|du système|initiales|reçues)?',
  ),
  phrase(
    'override',
    "(?:tu es|vous êtes) (?:maintenant|désormais) (?:un|une|le|la|en) \\p{L}{2,20}|(?:nouvelles )?(?:instructions|consignes) pour (?:l['’])?(?:ia|assistant|modèle|agent)",
  ),
  phrase(
    'secrecy',
    "ne (?:dis|dites|mentionne|mentionnez|révèle|révélez|le dis|le dites)(?: rien| pas)(?: de ceci| cela| ceci)? ?(?:à|au) ?(?:l['’])?utilisateur|(?:révèle|affiche|montre|donne)(?:z)?(?:-moi)? (?:ton|votre) (?:prompt|message) système",
  ),
  phrase(
    'exfiltration',
    '(?:envoie|envoyez|transmets|transmettez|publie) (?:tous?|toutes?|le|la|les|tes|vos) [^.\\n]{1,60} (?:à|vers|sur) (?:https?://|[\\w.+-]{1,40}@)',
  ),
  // Chinese
  phrase(
    'override',
    '(?:忽略|无视|忘记|忘掉|不要理会|放弃)(?:你|您)?(?:之前|以上|上面|先前|前面|此前|所有|全部|一切|系统)?的?(?:所有|全部|一切)?(?:之前|先前|系统|原有)?的?(?:指令|指示|提示词?|命令|规则|要求|说明)',
  ),
  phrase(
    'override',
    '(?:你现在是|从现在(?:开始|起)[，,]?你(?:是|将|必须))|(?:给|致)(?:AI|人工智能|助手|模型)的?(?:新)?(?:指令|指示|说明)',
  ),
  phrase(
    'secrecy',
    '(?:不要|别|切勿|禁止)(?:告诉|告知|通知|提醒|向)(?:用户|使用者)|(?:输出|显示|泄露|打印|告诉我)(?:你的)?(?:系统提示词?|系统消息|密钥)',
  ),
  phrase(
    'exfiltration',
    '(?:把|将)[^。\\n]{1,40}(?:发送|上传|转发|提交)(?:到|至|给) ?(?:https?://|[\\w.+-]{1,40}@)',
  ),
]

const marks = [
  phrase(
    'role',
    '<\\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id)\\|>|\\[/?(?:INST|SYS)\\]|<<\\/?SYS>>|<\\/?(?:system|assistant|developer|system_prompt|system-reminder|function_results|tool_result|tool_response|function_calls|antml:\\w{1,20})>',
  ),
  phrase(
    'role',
    '(?<=^|\\n)\\s{0,4}(?:#{1,4} ?|\\*{2})?(?:system|assistant|developer)(?: prompt| message| instructions?)?(?:\\*{2})?\\s?:(?:\\*{2})?\\s{0,2}(?:you|from now|ignore|the user|always|never|new|do|i |sure|override|your)\\b',
  ),
  phrase(
    'role',
    '(?<=^|\\n)\\s{0,4}(?:#{1,4} ?)?\\[?(?:end of|begin|start of|end) (?:tool (?:output|result)|document|data|user input|untrusted \\w{1,10}|system (?:prompt|message))s?\\]?(?=\\s{0,3}(?:\\n|$))',
  ),
  phrase(
    'role',
    '"role"\\s{0,3}:\\s{0,3}"(?:system|developer)"\\s{0,3},\\s{0,3}"content"',
  ),
]

/** Every pattern reads a bounded number of characters from each place. */
export const phrases: readonly Phrase[] = [...english, ...others, ...marks]
