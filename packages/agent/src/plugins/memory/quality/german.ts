import type { Fact, LabelledSet, Question } from './labelled.ts'

// The questions were written before any ranking was seen.
const facts: readonly Fact[] = [
  ['d1', 'Frau Dr. Baumgärtner ist die Kinderärztin von Mathilda und Jonas.'],
  [
    'd2',
    'Der Ersatzschlüssel für das Ferienhaus auf Rügen liegt unter dem Blumenkübel.',
  ],
  [
    'd3',
    'Lothar verträgt keine Haselnüsse und hat immer ein Notfallset dabei.',
  ],
  [
    'd4',
    'Die Steuererklärung macht seit Jahren das Büro Kessler in Göttingen.',
  ],
  [
    'd5',
    'Der Müll wird in der Fliederstraße dienstags abgeholt, Papier jeden zweiten Freitag.',
  ],
  [
    'd6',
    'Annegret fährt einen roten Lastenroller mit dem Kennzeichen GÖ-AK 77.',
  ],
  [
    'd7',
    'Auslieferungen ins Produktivsystem sind freitags nach zwölf Uhr verboten.',
  ],
  [
    'd8',
    'Onkel Eberhard feiert seinen siebzigsten Geburtstag am 8. August im Schützenhaus.',
  ],
  ['d9', 'Das WLAN im Gästezimmer heißt Murmeltier.'],
  ['d10', 'Henrike lernt seit Januar Gebärdensprache an der Volkshochschule.'],
  [
    'd11',
    'Die Heizung im Keller verliert Druck und muss alle drei Wochen nachgefüllt werden.',
  ],
  [
    'd12',
    'Jürgen hat die Ausbildung zum Bootsbauer in Flensburg abgeschlossen.',
  ],
  ['d13', 'Der Mietvertrag der Werkstatt läuft am 30. September aus.'],
  [
    'd14',
    'Rosalinde isst aus Überzeugung kein Fleisch, aber gelegentlich Fisch.',
  ],
  [
    'd15',
    'Rechnungen an die Stadtwerke gehen als XRechnung über das Portal hinaus.',
  ],
  ['d16', 'Die Katze Schnurrbart bekommt wegen ihrer Nieren nur Diätfutter.'],
  [
    'd17',
    'Das Sommerfest der Abteilung findet am Baggersee in Northeim statt.',
  ],
  ['d18', 'Thorben hat Höhenangst und geht nicht auf den Kirchturm.'],
  ['d19', 'Die Sicherungskopien liegen in einem Bankschließfach in Kassel.'],
  ['d20', 'Gudrun spielt Bratsche im Orchester des Theaters.'],
  ['d21', 'Der Drucker im dritten Stock nimmt nur Papier mit 80 Gramm.'],
  ['d22', 'Die Großeltern von Liselotte kommen aus Siebenbürgen.'],
  [
    'd23',
    'Passwörter werden ausschließlich im Tresor der IT aufbewahrt, nie in E-Mails.',
  ],
  ['d24', 'Der Kirschbaum im Garten muss nach der Ernte geschnitten werden.'],
  [
    'd25',
    'Herr Vandersteen betreut uns bei der Hausverwaltung und ist vormittags erreichbar.',
  ],
  [
    'd26',
    'Friederike wohnt seit Mai mit ihrer Freundin in einer WG in Leipzig.',
  ],
  ['d27', 'Die Testdatenbank heißt Hamster und wird jede Nacht gelöscht.'],
  [
    'd28',
    'Zum Frühstück mag Konstantin am liebsten Roggenbrot mit Pflaumenmus.',
  ],
  ['d29', 'Die Hochzeitsreise von Ulrike und Sven geht nach Madeira.'],
  [
    'd30',
    'Der Hausarzt hat Wolfram Blutdrucktabletten für den Abend verschrieben.',
  ],
  ['d31', 'Besprechungen mit dem Betriebsrat beginnen immer um neun Uhr.'],
  ['d32', 'Das alte Klavier gehörte der Tante aus Bremerhaven.'],
  [
    'd33',
    'Kundennummern fangen bei Firmen mit einem F und bei Privatleuten mit einem P an.',
  ],
  ['d34', 'Meike hat Schuhgröße 39 und trägt keine Absätze.'],
  [
    'd35',
    'Die Fahrräder stehen im Schuppen hinter der Garage, das Schloss hat die Zahl 4711.',
  ],
  [
    'd36',
    'Volker arbeitet mittwochs von zu Hause aus und ist nur telefonisch zu sprechen.',
  ],
  [
    'd37',
    'Der Schornsteinfeger kommt im Oktober, man muss den Dachboden frei räumen.',
  ],
  ['d38', 'Für Übersetzungen ins Dänische ist das Büro Sørensen zuständig.'],
  [
    'd39',
    'Leopold hat ein Stipendium für ein Auslandsjahr in Kanada bekommen.',
  ],
  ['d40', 'Die Versicherung des Wohnwagens ist bei der Concordia.'],
  ['d41', 'In der Kantine gibt es donnerstags immer Eintopf.'],
  [
    'd42',
    'Margarete hört auf dem linken Ohr schlecht; man setzt sich besser rechts neben sie.',
  ],
  [
    'd43',
    'Die Schnittstelle zum Lager erlaubt höchstens hundert Anfragen pro Minute.',
  ],
  [
    'd44',
    'Dietmar züchtet Brieftauben und fährt am Wochenende zu Ausstellungen.',
  ],
  [
    'd45',
    'Das Protokoll der Vorstandssitzung schreibt abwechselnd Elfriede oder Hartmut.',
  ],
  ['d46', 'Der Wasserhahn in der Küche tropft, die Dichtung ist bestellt.'],
  [
    'd47',
    'Svenja wurde am Knie operiert und darf bis Ostern keinen Sport machen.',
  ],
  ['d48', 'Fehlermeldungen sollen den Benutzer siezen.'],
  ['d49', 'Der Zug nach Hannover fährt um 6:58 Uhr von Gleis 4.'],
  ['d50', 'Ottilie sammelt Kaffeetassen aus aller Welt.'],
  [
    'd51',
    'Der Server im Besenschrank heißt Dornröschen und läuft noch mit Debian 9.',
  ],
  ['d52', 'Zu Weihnachten wünscht sich Benedikt ein Teleskop.'],
  ['d53', 'Die Bibliotheksbücher müssen bis zum 22. zurückgegeben werden.'],
  ['d54', 'Hannelore leitet den Chor der Gemeinde und sucht noch Tenöre.'],
  ['d55', 'Reisekosten werden nur mit dem grünen Formular erstattet.'],
  ['d56', 'Unser Anwalt für Arbeitsrecht heißt Ruprecht Thalheim.'],
  ['d57', 'Die Kaffeemaschine wird montags von Sieglinde entkalkt.'],
  ['d58', 'Falk ist Linkshänder und braucht eine besondere Schere.'],
  [
    'd59',
    'Der Impfpass von Mathilda liegt in der blauen Mappe im Arbeitszimmer.',
  ],
  ['d60', 'Im Konferenzraum Ahorn funktioniert das Mikrofon nur mit Kabel.'],
  ['d61', 'Edeltraud hat das Auto verkauft und fährt jetzt mit dem Bus.'],
  [
    'd62',
    'Neue Mitarbeiter erhalten ihren Ausweis am Empfang bei Frau Zimmerli.',
  ],
  ['d63', 'Die Garantie der Waschmaschine endet im Februar 2027.'],
  ['d64', 'Arno trinkt seinen Tee mit Kandis und ohne Milch.'],
  [
    'd65',
    'Der Wanderverein trifft sich am ersten Sonntag im Monat am Marktbrunnen.',
  ],
  ['d66', 'Protokolle der Anwendung werden nach sechs Wochen gelöscht.'],
  ['d67', 'Cornelia schreibt ihre Doktorarbeit über Moore in Niedersachsen.'],
  ['d68', 'Das Boot liegt im Winter in der Halle von Petersen.'],
  [
    'd69',
    'Bestellungen über zehntausend Euro muss die Geschäftsführerin freigeben.',
  ],
  ['d70', 'Die Gitarre von Torsten ist beim Instrumentenbauer zur Reparatur.'],
  ['d71', 'Im Treppenhaus ist die Lampe im zweiten Stock kaputt.'],
  ['d72', 'Wiebke verreist nie ohne ihren Hund Krümel.'],
]

const questions: readonly Question[] = [
  { ask: 'Wie heißt die Kinderärztin von Mathilda?', wants: ['d1'] },
  { ask: 'Wo liegt der Schlüssel fürs Ferienhaus auf Rügen?', wants: ['d2'] },
  { ask: 'Welche Nüsse darf Lothar nicht essen?', wants: ['d3'] },
  { ask: 'Wer kümmert sich um unsere Steuererklärung?', wants: ['d4'] },
  {
    ask: 'Wann wird bei uns in der Fliederstraße der Müll geholt?',
    wants: ['d5'],
  },
  {
    ask: 'Darf ich am Freitagnachmittag noch ins Produktivsystem ausliefern?',
    wants: ['d7'],
  },
  { ask: 'Wann hat Onkel Eberhard Geburtstag?', wants: ['d8'] },
  { ask: 'Was lernt Henrike gerade?', wants: ['d10'] },
  { ask: 'Bis wann läuft der Vertrag für die Werkstatt?', wants: ['d13'] },
  { ask: 'Warum braucht die Katze besonderes Futter?', wants: ['d16'] },
  {
    ask: 'Welches Papier kann ich im Drucker im dritten Stock verwenden?',
    wants: ['d21'],
  },
  { ask: 'Wo sollen wir Passwörter aufbewahren?', wants: ['d23'] },
  { ask: 'Wann soll man den Kirschbaum schneiden?', wants: ['d24'] },
  {
    ask: 'Mit wem wohnt Friederike zusammen?',
    wants: ['d26'],
    isHeldOut: true,
  },
  {
    ask: 'Wie viele Anfragen pro Minute verträgt die Lager-Schnittstelle?',
    wants: ['d43'],
    isHeldOut: true,
  },
  {
    ask: 'Auf welcher Seite sollte ich neben Margarete sitzen?',
    wants: ['d42'],
    isHeldOut: true,
  },
  {
    ask: 'Was könnte man Benedikt zu Weihnachten schenken?',
    wants: ['d52'],
    isHeldOut: true,
  },
  { ask: 'Welche Tabletten nimmt Wolfram?', wants: ['d30'], isHeldOut: true },
  {
    ask: 'Wie lange haben wir noch Garantie auf die Waschmaschine?',
    wants: ['d63'],
    isHeldOut: true,
  },
  {
    ask: 'Wohin fahren Ulrike und Sven nach der Hochzeit?',
    wants: ['d29'],
    isHeldOut: true,
  },
]

export const german: LabelledSet = { language: 'German', facts, questions }
