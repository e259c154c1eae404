import type { Fact, LabelledSet, Question } from './labelled.ts'

// The questions were written before any ranking was seen.
const facts: readonly Fact[] = [
  ['e1', 'Priya is allergic to penicillin and carries a card that says so.'],
  ['e2', 'The spare key of the cabin in Aviemore hangs behind the woodshed.'],
  ['e3', "Tomasz's daughter Zofia starts school in September 2027."],
  [
    'e4',
    'Production database backups run at 02:30 UTC from the Dublin region.',
  ],
  ['e5', 'Oluwaseun prefers window seats and always flies with hand luggage.'],
  [
    'e6',
    'The landlord, Mr Featherstone, wants the rent by the third of each month.',
  ],
  [
    'e7',
    'Our invoice template lives in the shared drive under Finance/Templates.',
  ],
  [
    'e8',
    'Marguerite drinks oat milk in her coffee because she cannot digest lactose.',
  ],
  [
    'e9',
    'The release train leaves every other Thursday; hotfixes go out at any time.',
  ],
  ['e10', 'Grandma Ruth turns ninety on 14 March and would love a visit.'],
  ['e11', 'The boiler was last serviced by Hendricks Heating in November.'],
  [
    'e12',
    'Kwame is learning to play the cello and practises on Sunday afternoons.',
  ],
  [
    'e13',
    'The staging cluster is called "heron" and may be restarted without asking.',
  ],
  ['e14', 'Beatriz moved from Porto to Rotterdam last spring for her new job.'],
  [
    'e15',
    'The car, a green Skoda Octavia, needs winter tyres before December.',
  ],
  [
    'e16',
    'Dr Lindqvist advised cutting back on salt because of high blood pressure.',
  ],
  ['e17', 'Team retrospectives are on the last Friday of the month at ten.'],
  [
    'e18',
    'Hiroshi collects fountain pens, above all Japanese ones from the seventies.',
  ],
  [
    'e19',
    'The gate code at the warehouse changes every quarter; ask Delphine for it.',
  ],
  ['e20', 'Nadia writes her thesis about the migration of storks.'],
  ['e21', 'Customers in Brazil are invoiced in reais, never in dollars.'],
  [
    'e22',
    'The dog, Biscuit, gets half a tablet of thyroid medicine with breakfast.',
  ],
  ['e23', 'Callum broke his left wrist while skiing in Bansko.'],
  ['e24', 'API tokens of the billing service expire after ninety days.'],
  [
    'e25',
    'The favourite restaurant for anniversaries is Il Melograno near the canal.',
  ],
  ['e26', 'Svetlana wants commit messages in the imperative mood.'],
  [
    'e27',
    "The children's swimming lessons are at the Eastgate pool on Wednesdays.",
  ],
  [
    'e28',
    'Rashid is the contact for anything about the insurance of the office.',
  ],
  ['e29', 'The printer on the second floor only works with the legacy driver.'],
  ['e30', 'Ingrid cannot stand coriander in her food.'],
  ['e31', 'Board meetings need slides two days ahead, sent to Winifred.'],
  [
    'e32',
    'The garden hose leaks at the joint next to the tap; a new washer is in the shed.',
  ],
  ['e33', 'Emeka runs a half marathon in under two hours.'],
  [
    'e34',
    'Feature flags are kept in LaunchPad, and removed a month after a rollout.',
  ],
  ['e35', 'The passport of Leonie runs out in June 2026.'],
  ['e36', 'Our lawyer for trade marks is Alasdair Crombie in Edinburgh.'],
  ['e37', 'Meeting room Juniper has the only camera that follows the speaker.'],
  ['e38', 'Yusuf fasts during Ramadan, so no lunch invitations in that time.'],
  [
    'e39',
    'The wedding of Clara and Matteo takes place on a vineyard in Umbria.',
  ],
  ['e40', 'Log files older than thirty days are moved to cold storage.'],
  ['e41', 'The cleaner, Mrs Abernathy, comes on Mondays and has her own key.'],
  ['e42', 'Jasper wears shoe size 44 and has wide feet.'],
  ['e43', 'The office in Lisbon has a quiet room on the fourth floor.'],
  ['e44', 'Tariq is writing a cookbook about the dishes of Aleppo.'],
  [
    'e45',
    'Payments above five thousand euros need a second signature from Ottoline.',
  ],
  ['e46', 'The old laptop was given to the school in Harrowgate Lane.'],
  ['e47', 'Freya plays in goal for the handball club of Aarhus.'],
  [
    'e48',
    'The search service falls over when more than 400 filters are combined.',
  ],
  ['e49', 'Uncle Bertrand left his stamp collection to Sophie.'],
  [
    'e50',
    'Vegetarian options must be ordered for Anjali and Pim at every offsite.',
  ],
  ['e51', 'The electricity meter is in the cupboard under the stairs.'],
  ['e52', 'Our style guide forbids exclamation marks in error messages.'],
  ['e53', 'Magnus sold the sailing boat and bought a camper van.'],
  ['e54', 'The backup generator is tested on the first Saturday of the month.'],
  ['e55', 'Lucinda studies veterinary medicine in Utrecht.'],
  [
    'e56',
    'The contract with the courier company ends in April and can be cancelled in January.',
  ],
  ['e57', 'Dmitri is afraid of heights and will not take the cable car.'],
  [
    'e58',
    'Support tickets from Helvetia Bank have to be answered within one hour.',
  ],
  ['e59', 'The recipe for the plum cake comes from great-aunt Hedwig.'],
  [
    'e60',
    'Noor repairs bicycles in her spare time and knows where to get parts.',
  ],
  ['e61', 'The test account for the app shop is called reviewer-seven.'],
  [
    'e62',
    'Gareth has been sober for six years and does not want wine as a present.',
  ],
  [
    'e63',
    'The lecture about tidal power is planned for the spring fair in Swansea.',
  ],
  [
    'e64',
    'Metrics are scraped every fifteen seconds, traces sampled at one percent.',
  ],
  [
    'e65',
    'Camille paints in watercolours and exhibits at the town hall in May.',
  ],
  ['e66', 'The attic must not be heated because of the bats that live there.'],
  ['e67', 'Translations into Polish are done by the agency Wierzba.'],
  ['e68', 'Theo has a scholarship that pays his tuition until 2028.'],
  ['e69', 'The roof of the barn was repaired after the storm in February.'],
  ['e70', 'New colleagues get a buddy and a plant on their first day.'],
  ['e71', 'Wilhelmina takes the 7:42 train to Guildford every weekday.'],
  [
    'e72',
    'The firewall blocks outgoing mail except through the relay at Marlow.',
  ],
]

const questions: readonly Question[] = [
  { ask: 'Which medicine is Priya allergic to?', wants: ['e1'] },
  {
    ask: 'Where did we hide the spare key for the Aviemore cabin?',
    wants: ['e2'],
  },
  { ask: 'At what time do the production backups run?', wants: ['e4'] },
  {
    ask: 'Which seat should I book for Oluwaseun on the flight?',
    wants: ['e5'],
  },
  { ask: 'When does the rent have to be with the landlord?', wants: ['e6'] },
  { ask: 'What kind of milk does Marguerite take?', wants: ['e8'] },
  { ask: "When is Grandma Ruth's birthday?", wants: ['e10'] },
  { ask: 'Am I allowed to restart the staging cluster?', wants: ['e13'] },
  { ask: 'What did the doctor say about my blood pressure?', wants: ['e16'] },
  { ask: 'How do I get the code for the warehouse gate?', wants: ['e19'] },
  { ask: 'How many tablets does Biscuit need in the morning?', wants: ['e22'] },
  { ask: 'After how many days do billing tokens expire?', wants: ['e24'] },
  { ask: 'Who do I ask about the insurance for the office?', wants: ['e28'] },
  { ask: 'What food does Ingrid hate?', wants: ['e30'] },
  {
    ask: 'What present should we not give to Gareth?',
    wants: ['e62'],
    isHeldOut: true,
  },
  {
    ask: "Until when is Leonie's passport valid?",
    wants: ['e35'],
    isHeldOut: true,
  },
  {
    ask: 'How quickly must we reply to tickets from Helvetia Bank?',
    wants: ['e58'],
    isHeldOut: true,
  },
  {
    ask: 'who signs off payments over 5000 euros',
    wants: ['e45'],
    isHeldOut: true,
  },
  {
    ask: 'Where is the meter for the electricity?',
    wants: ['e51'],
    isHeldOut: true,
  },
  {
    ask: 'Which people need vegetarian meals at the offsite?',
    wants: ['e50'],
    isHeldOut: true,
  },
]

export const english: LabelledSet = { language: 'English', facts, questions }
