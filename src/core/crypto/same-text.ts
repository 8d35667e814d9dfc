/** Whether two texts are the same; how much of them is does not show in the time. */
export const sameText = (one: string, other: string): boolean => {
  let differs = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) differs |= one.charCodeAt(at) ^ other.charCodeAt(at);
  return differs === 0;
};
