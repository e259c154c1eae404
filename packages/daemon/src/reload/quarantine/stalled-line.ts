/** What is added to the list of running hooks by whoever saw the process hang. */
export const stalledLine = 'stalled\n'
