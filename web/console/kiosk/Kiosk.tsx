import { Banner } from '../../shared/ui/States.tsx';
import { useClinic } from '../data/clinic.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { kioskWords } from '../words/kiosk.ts';
import { words } from '../words.ts';
import style from './Kiosk.module.css';
import { Poster, Sheet } from './Poster.tsx';
import { Tablets } from './Tablets.tsx';

/** Check-in without the desk: when it is open, the tablets, the poster. */
const Kiosk = () => {
  const text = kioskWords.value;
  const minutes = useClinic().value.data?.self_check_in_minutes;
  return (
    <Page title={words.value.nav.kios}>
      <div class={`${look.body} ${style.screen}`}>
        <p class={look.soft}>{text.about}</p>
        {minutes === 0 ? (
          <Banner>
            <p>
              {text.off} <a href="/konsol/klinik">{text.change}</a>
            </p>
          </Banner>
        ) : (
          minutes !== undefined && (
            <p>
              {text.on(minutes)} <a href="/konsol/klinik">{text.change}</a>
            </p>
          )
        )}
        <div class={look.cards}>
          <Tablets />
          <Poster />
        </div>
      </div>
      <Sheet />
    </Page>
  );
};

export default Kiosk;
