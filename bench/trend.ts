/** A value at a time. */
export type Point = readonly [seconds: number, value: number];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** By which share of its mean a value grew along the straight line through its points (least squares). */
export const growthOf = (points: readonly Point[]): number => {
  const times = points.map(([at]) => at);
  const values = points.map(([, value]) => value);
  const [middle, level] = [mean(times), mean(values)];
  const spread = times.reduce((sum, at) => sum + (at - middle) ** 2, 0);
  const slope = points.reduce((sum, [at, value]) => sum + (at - middle) * (value - level), 0) / spread;
  return (slope * (Math.max(...times) - Math.min(...times))) / level;
};
