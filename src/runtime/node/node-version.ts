/** The first version of Node that runs TypeScript sources directly. */
export const minNodeVersion = [22, 18] as const;

export const isNodeNewEnough = (version = process.versions.node): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > minNodeVersion[0] || (major === minNodeVersion[0] && minor >= minNodeVersion[1]);
};
