const english = `a about above after again all also am an and any are as at be
because been before being below between both but by can could did do does doing
down during each few for from further get got had has have having he her here
hers him his how i if in into is it its just let me more most must my no nor not
of off on once only or other our ours out over own please same shall she should
so some such tell than that the their theirs them then there these they this
those through to too under until up us very was we were what when where which
while who whom whose why will with would you your yours`

const german = `aber alle allem allen aller alles als also am an andere anderen
anderer anderes auch auf aus bei beim bin bis bist da damit dann das dass dein
deine dem den denn der des dessen dich die dies diese diesem diesen dieser dieses
dir doch dort du durch ein eine einem einen einer eines er es etwas euch euer
eure fur gegen gerade gewesen hab habe haben hat hatte hatten hier hin hinter ich
ihm ihn ihnen ihr ihre ihrem ihren ihrer im in indem ins ist jede jedem jeden
jeder jedes jene kann kein keine keinem keinen keiner konnen man manche mehr mein
meine meinem meinen meiner mich mir mit muss nach nicht nichts noch nun nur ob
oder ohne sehr sein seine seinem seinen seiner seit sich sie sind so solche soll
sollen sollte sondern sonst uber um und uns unser unsere unserem unseren unserer
unter viel vom von vor war waren warst was weil welche welchem welchen welcher
welches wem wen wenn wer werde werden wie wieder will wir wird wo wohin woher
wollen wurde wurden zu zum zur zwar zwischen`

const spanish = `al algo algunas algunos ante antes como con contra cual cuales
cuando cuanto de del desde donde dos durante e el ella ellas ellos en entre era
eran es esa ese eso esta estaba estan estas este esto estos fue fueron ha habia
han hasta hay la las le les lo los mas me mi mis mucho muy nada ni no nos nosotros
o os otra otro para pero poco por porque que quien quienes se ser si sin sobre
son su sus tambien tanto te tiene tienen todo todos tu tus un una uno unos vosotros
y ya yo`

const words = new Set(`${english} ${german} ${spanish}`.split(/\s+/))

/** A word, without accents, that says nothing of what is looked for. */
export function isStopWord(word: string): boolean {
  return words.has(word)
}
