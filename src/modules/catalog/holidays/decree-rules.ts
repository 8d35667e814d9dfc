// The holidays that the government has decreed: the joint decisions of three ministers (SKB 3 Menteri) on national
// holidays and joint leave. 2024: 855/2023, 3/2023, 4/2023. 2025: 1017/2024, 2/2024, 2/2024, amended by 933/2025,
// 1/2025, 3/2025 (18 August). 2026: 1497/2025, 2/2025, 5/2025. A new year is added here once its decree is out; until
// then its lunar dates are proposals, and its joint leave is estimated.

export interface Decree {
  /** Where the decree has another date than the rules: the rule's date, and the decree's. */
  moved?: Readonly<Record<string, string>>;
  /** Each day of joint leave, and the date of the holiday that it belongs to. */
  leave: Readonly<Record<string, string>>;
}

export const decrees: Readonly<Record<number, Decree>> = {
  2024: {
    leave: {
      '2024-02-09': '2024-02-10',
      '2024-03-12': '2024-03-11',
      '2024-04-08': '2024-04-10',
      '2024-04-09': '2024-04-10',
      '2024-04-12': '2024-04-10',
      '2024-04-15': '2024-04-10',
      '2024-05-10': '2024-05-09',
      '2024-05-24': '2024-05-23',
      '2024-06-18': '2024-06-17',
      '2024-12-26': '2024-12-25',
    },
  },
  2025: {
    leave: {
      '2025-01-28': '2025-01-29',
      '2025-03-28': '2025-03-29',
      '2025-04-02': '2025-03-31',
      '2025-04-03': '2025-03-31',
      '2025-04-04': '2025-03-31',
      '2025-04-07': '2025-03-31',
      '2025-05-13': '2025-05-12',
      '2025-05-30': '2025-05-29',
      '2025-06-09': '2025-06-06',
      '2025-08-18': '2025-08-17',
      '2025-12-26': '2025-12-25',
    },
  },
  2026: {
    leave: {
      '2026-02-16': '2026-02-17',
      '2026-03-18': '2026-03-19',
      '2026-03-20': '2026-03-21',
      '2026-03-23': '2026-03-21',
      '2026-03-24': '2026-03-21',
      '2026-05-15': '2026-05-14',
      '2026-05-28': '2026-05-27',
      '2026-12-24': '2026-12-25',
    },
  },
};
