/** Between parts of a line: where it breaks, the dot goes along with what follows and hangs at no end. */
export const apart = ' ·\u00A0';
