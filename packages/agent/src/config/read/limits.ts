export const maxFileBytes = 1_048_576
/** To read so much of it takes a good part of a second, and holds us up. */
export const maxYamlBytes = 65_536
/** As deep as a hook's answer may be. */
export const maxDepth = 64
