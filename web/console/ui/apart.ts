/** Between parts of a line: at a line break, the dot stays with the following part. */
export const apart = ' ·\u00A0';
