import { useSignal } from '@preact/signals';
import { ExternalLink, Printer } from 'lucide';
import { useRoute } from 'preact-iso';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { fullName, practiceText } from '../../shared/doctor.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { QrCode } from '../../shared/ui/QrCode.tsx';
import type { Schemas } from '../data/bookings.ts';
import { useAllDoctors } from '../data/catalog.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import { Copy } from '../ui/Copy.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { pageWords } from '../words/doctor-page.ts';
import style from './DoctorPage.module.css';
import { PageForm, pageKey } from './PageForm.tsx';

type DoctorPage = Schemas['AdminDoctorPage'];
interface Named {
  name: string;
  practice: string;
}

const frameFor = (url: string, name: string): string =>
  `<iframe src="${url}/kartu" title="${name.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="360" height="420" loading="lazy" style="border: 0"></iframe>`;

/** The address to share, its QR code, and the card for other web sites. */
const Share = ({ page, doctor }: { page: DoctorPage; doctor: Named }) => {
  const text = pageWords.value;
  const isAsked = useSignal(false);
  // A service that does not know its own address gives the path alone.
  const url = new URL(page.url ?? '', location.origin).href;
  return (
    <section class={look.card} aria-labelledby="bagikan">
      <h2 id="bagikan">{text.share}</h2>
      {page.published ? (
        <>
          <Copy text={url} />
          <div class={style.code}>
            <QrCode text={url} label={text.qr(url)} />
          </div>
          <div class={look.line}>
            <ButtonLink
              small
              icon={ExternalLink}
              href={`/dokter/${page.slug}`}
              target="_blank"
              rel="noopener"
            >
              {text.open}
            </ButtonLink>
            <Button
              small
              icon={Printer}
              onClick={() =>
                void import('./print.tsx').then(({ printPoster }) => printPoster({ ...doctor, url }))
              }
            >
              {text.print}
            </Button>
          </div>
          <h3>{text.card}</h3>
          <p class={look.soft}>{text.cardAbout}</p>
          <Copy text={frameFor(url, doctor.name)} />
        </>
      ) : (
        <p class={look.soft}>{text.notYet}</p>
      )}
      <div class={look.line}>
        <Button small look="danger" onClick={() => (isAsked.value = true)}>
          {text.remove}
        </Button>
      </div>
      {isAsked.value && (
        <Confirm
          title={text.removeAsk}
          text={text.removeText}
          verb={text.remove}
          work={async () => {
            await take(api.v1.admin.doctors[':id'].page.$delete({ param: { id: page.doctor_id } }));
            await queries.invalidateQueries({ queryKey: pageKey(page.doctor_id) });
          }}
          onClose={() => (isAsked.value = false)}
        />
      )}
    </section>
  );
};

/** The page of one doctor: what it says, and how it is shared. */
const DoctorPageScreen = () => {
  const text = pageWords.value;
  const { id = '' } = useRoute().params;
  const page = useRead({
    queryKey: pageKey(id),
    queryFn: async () => (await take(api.v1.admin.doctors[':id'].page.$get({ param: { id } }))).data,
  }).value;
  const found = useAllDoctors().value.data?.find((one) => one.id === id);
  const doctor = { name: found === undefined ? '' : fullName(found), practice: practiceText(found) };
  return (
    <Page
      title={text.title(doctor.name)}
      beside={
        <ButtonLink small look="quiet" href="/konsol/dokter">
          {text.back}
        </ButtonLink>
      }
    >
      <Age of={page} />
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        <Shown of={page} height={90}>
          {(data) => (
            <div class={look.cards}>
              <PageForm page={data} />
              {data.version > 0 && <Share page={data} doctor={doctor} />}
            </div>
          )}
        </Shown>
      </div>
    </Page>
  );
};

export default DoctorPageScreen;
