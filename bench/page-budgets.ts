// The performance budgets of the three programs' pages. Each figure here decides the exit code of the measurement.

import type { Page } from 'playwright-core';
import { demoAccounts, demoPassword } from '../src/modules/demo/demo.ts';
import type { Walk } from './page-timings.ts';

/** A page with what it may cost. */
export interface Budget {
  name: string;
  path: string;
  hasWorker: boolean;
  /** How many times slower than this machine it is painted. */
  cpu: number;
  /** The minimum of Lighthouse's score, and the maximum of each cost. */
  performance?: number;
  blockedMs?: number;
  shift?: number;
  requests: number;
  firstMs?: number;
  againMs?: number;
  offlineMs?: number;
}

export const pages: readonly Budget[] = [
  {
    name: "patient's page",
    path: '/pasien/',
    hasWorker: true,
    cpu: 6,
    performance: 95,
    blockedMs: 150,
    shift: 0.02,
    requests: 4,
    firstMs: 2_000,
    againMs: 1_000,
    offlineMs: 1_000,
  },
  {
    name: "console's login",
    path: '/konsol/',
    hasWorker: false,
    cpu: 4,
    blockedMs: 200,
    shift: 0.02,
    requests: 5,
    firstMs: 2_500,
  },
  {
    name: 'screen',
    path: '/layar/?antrean=semua&suara=mati',
    hasWorker: true,
    cpu: 6,
    requests: 4,
    offlineMs: 1_500,
  },
];

export const rowsOfADay = 300;

const logIn = async (page: Page): Promise<void> => {
  await page.getByLabel('Email').fill(demoAccounts[1].email);
  await page.getByLabel('Kata sandi', { exact: true }).fill(demoPassword);
  await page.keyboard.press('Enter');
  await page
    .locator('[data-row]')
    .nth(rowsOfADay - 1)
    .waitFor({ state: 'attached' });
};

export interface BudgetedWalk extends Walk {
  name: string;
  maxMs: number;
}

/** The pressed and typed elements, in the console on a full day. */
export const walksOf = (fullDay: string): readonly BudgetedWalk[] => [
  {
    name: "patient's page, CPU x 6: search, doctor, day, time",
    path: '/pasien/dokter',
    cpu: 6,
    isPhone: true,
    maxMs: 200,
    press: async (page) => {
      await page.getByLabel('Nama dokter atau spesialisasi').pressSequentially('maya', { delay: 80 });
      // The list has been answered: a pressed element is not replaced meanwhile.
      await page.getByRole('link', { name: /Sari Wulandari/ }).waitFor({ state: 'detached' });
      await page.waitForLoadState('networkidle');
      await page.getByRole('link', { name: /Maya Lestari/ }).tap();
      await page.waitForURL(/\/dokter\/[0-9a-f-]{36}/);
      const days = page.getByRole('button', { name: /kosong$/ });
      await days.nth(2).waitFor();
      for (const nth of [2, 1, 3]) await days.nth(nth).tap();
      await page.locator('a[href*="/konfirmasi"]').first().tap();
      await page.getByLabel('Email').pressSequentially('siti', { delay: 80 });
    },
  },
  {
    name: `console, ${rowsOfADay} rows, CPU x 1: login, filter, search, a booking`,
    path: `/konsol/?tanggal=${fullDay}`,
    cpu: 1,
    isPhone: false,
    maxMs: 100,
    press: async (page) => {
      await logIn(page);
      const chips = page.locator('main button[aria-pressed]');
      for (const nth of [0, 1, 0]) await chips.nth(nth).click();
      await page.keyboard.press('Control+k');
      await page.keyboard.type('ke 29', { delay: 80 });
      await page.locator('[data-row] button:visible').first().click();
    },
  },
];
