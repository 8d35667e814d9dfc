/** As people type it, 0812, +62 812, or 62812 as WhatsApp has it, without what stands for the country. */
export const bareNumber = (typed: string, country: string): string => {
  const digits = typed.replaceAll(/[\s.()-]/g, '');
  const own = digits.startsWith(`+${country}`) ? digits.slice(country.length + 1) : digits;
  return country === '62' ? own.replace(/^62(?=8\d{8,}$)/, '').replace(/^0+/, '') : own;
};
