const listStops = (row: Element): HTMLElement[] =>
  [...row.querySelectorAll<HTMLElement>('[data-stop]')].filter((one) => one.offsetParent !== null);

const listRows = (grid: Element): HTMLElement[] =>
  [...grid.querySelectorAll<HTMLElement>('tr')].filter((row) => listStops(row).length > 0);

/** Arrow keys inside the rows: across the actions of a row, and to the same one of the next row. */
export const moveInGrid = (event: KeyboardEvent & { currentTarget: HTMLElement }): void => {
  if (event.ctrlKey || event.altKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
  const { target } = event;
  const menu = target.closest('[data-menu]');
  const across = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
  const down = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (across === 0 && down === 0) return;
  const row = target.closest('tr');
  if (row === null) return;
  event.preventDefault();
  if (menu !== null) {
    const items = [...menu.querySelectorAll<HTMLElement>('button, a')];
    items.at((items.indexOf(target) + down) % items.length)?.focus();
    return;
  }
  const stops = listStops(row);
  if (across !== 0) {
    stops.at((stops.indexOf(target) + across) % stops.length)?.focus();
    return;
  }
  const rows = listRows(event.currentTarget);
  const next = rows[rows.indexOf(row as HTMLElement) + down];
  if (next === undefined) return;
  const kind = target.dataset.stop;
  const there = listStops(next);
  const same = there.find((one) => one.dataset.stop === kind);
  (same ?? there.find((one) => one.tabIndex === 0) ?? there[0])?.focus();
};
