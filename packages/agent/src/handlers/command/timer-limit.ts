/** A timer that is set to more than this fires at once. */
export const longestTimerMs = 2_147_483_647
