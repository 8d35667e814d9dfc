/** As people type it, 0812 or +62 812, without what stands for the country. */
export const bareNumber = (typed: string, country: string): string => {
  const digits = typed.replaceAll(/[\s.()-]/g, '');
  if (digits.startsWith(`+${country}`)) return digits.slice(country.length + 1);
  return country === '62' ? digits.replace(/^0+/, '') : digits;
};
