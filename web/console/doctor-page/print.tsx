import { render } from 'preact';
import { QrCode } from '../../shared/ui/QrCode.tsx';
import { clinicName } from '../data/clinic.ts';
import { pageWords } from '../words/doctor-page.ts';
import style from './Poster.module.css';

interface Poster {
  name: string;
  practice: string;
  url: string;
}

const Sheet = ({ name, practice, url }: Poster) => (
  <>
    <p>{clinicName.value}</p>
    <p class={style.name}>{name}</p>
    <p>{practice}</p>
    <div class={style.code}>
      <QrCode text={url} label={pageWords.value.qr(url)} />
    </div>
    <p>{pageWords.value.scan}</p>
    <p class={style.url}>{url.replace(/^https?:\/\//, '')}</p>
  </>
);

/** Takes the sheet and its paper away again: the next print is of the page, as it was. */
let clear = (): void => {};

/** Prints the address of a doctor's page as a QR code on a sheet of A5. */
export const printPoster = async (poster: Poster): Promise<void> => {
  clear();
  const box = document.createElement('div');
  box.className = style.poster ?? '';
  document.body.append(box);
  render(<Sheet {...poster} />, box);
  await document.fonts.ready;
  const paper = new CSSStyleSheet();
  paper.replaceSync('@page { size: A5 portrait; margin: 12mm }');
  document.adoptedStyleSheets.push(paper);
  clear = () => {
    removeEventListener('afterprint', clear);
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== paper);
    render(null, box);
    box.remove();
    clear = () => {};
  };
  addEventListener('afterprint', clear);
  print();
};
