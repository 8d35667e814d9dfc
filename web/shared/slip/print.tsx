import { render } from 'preact';
import type { Width } from './paper.ts';
import style from './Slip.module.css';
import { Slip, type SlipContent } from './Slip.tsx';

const pxPerMm = 96 / 25.4;

/** Takes the slip and its paper away again: the next print is of the page, as it was. */
let clear = (): void => {};

/**
 * Prints a slip on paper of this width. `@page` takes no automatic height, so the slip is measured first: the roll is cut
 * where it ends.
 */
export const printSlip = async (slip: SlipContent, width: Width): Promise<void> => {
  clear();
  const box = document.createElement('div');
  box.className = style.slip ?? '';
  box.dataset.paper = String(width);
  document.body.append(box);
  render(<Slip slip={slip} />, box);
  await document.fonts.ready;
  // A page that is wider than high would be turned. A millimetre more: a rounded line must not begin a second page.
  const height = Math.max(width, Math.ceil(box.getBoundingClientRect().height / pxPerMm) + 1);
  const page = new CSSStyleSheet();
  page.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`);
  document.adoptedStyleSheets.push(page);
  clear = () => {
    removeEventListener('afterprint', clear);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== page);
    render(null, box);
    box.remove();
    clear = () => {};
  };
  addEventListener('afterprint', clear);
  print();
};
