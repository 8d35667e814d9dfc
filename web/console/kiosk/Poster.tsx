import { useSignal } from '@preact/signals';
import { Printer } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { QrCode } from '../../shared/ui/QrCode.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import { useRead } from '../data/read.ts';
import look from '../ui/page.module.css';
import { kioskWords } from '../words/kiosk.ts';
import style from './Kiosk.module.css';

/** Where the poster leads; the secret stands behind `#`, so that it is not sent to a server. */
const addressOf = (secret: string): string => `${location.origin}/pasien/hadir#poster=${secret}`;

const usePoster = () =>
  useRead({
    queryKey: ['poster'],
    queryFn: async () => (await take(api.v1.admin['check-in-poster'].$get())).data,
  }).value;

const makePoster = async (key: string): Promise<void> => {
  await take(api.v1.admin['check-in-poster'].$post({ header: { 'Idempotency-Key': key } }));
  await queries.invalidateQueries({ queryKey: ['poster'] });
};

/** The poster on the wall: made, printed, replaced. */
export const Poster = () => {
  const text = kioskWords.value;
  const { data, error, refetch } = usePoster();
  const isRenewing = useSignal(false);
  const said = useSignal('');
  const making = useAttempt(makePoster);
  const make = async (): Promise<void> => {
    if (await making.run()) said.value = text.isMade;
  };
  return (
    <section class={look.card} aria-labelledby="poster">
      <h2 id="poster">{text.poster}</h2>
      <p class={look.soft}>{text.posterAbout}</p>
      <FormFailure failure={making.failure.value} />
      {data === undefined ? (
        <Pending rows={1} height={44} error={error} again={refetch} />
      ) : data.secret === null ? (
        <>
          <p>{text.noPoster}</p>
          <div class={look.line}>
            <SendButton busy={making.busy.value} onClick={() => void make()}>
              {text.make}
            </SendButton>
          </div>
        </>
      ) : (
        <div class={look.line}>
          <Button icon={Printer} onClick={() => print()}>
            {text.print}
          </Button>
          <Button look="danger" onClick={() => (isRenewing.value = true)}>
            {text.renew}
          </Button>
        </div>
      )}
      <span role="status">{said.value}</span>
      {isRenewing.value && (
        <Confirm
          title={text.askRenew}
          text={text.askRenewText}
          verb={text.renew}
          work={makePoster}
          onClose={(isDone) => {
            isRenewing.value = false;
            if (isDone) said.value = text.isMade;
          }}
        />
      )}
    </section>
  );
};

/** What is printed of the page: the poster alone. */
export const Sheet = () => {
  const text = kioskWords.value;
  const secret = usePoster().data?.secret ?? null;
  if (secret === null) return null;
  return (
    <section class={style.sheet} aria-hidden="true">
      <h2>{text.sheetTitle}</h2>
      <QrCode text={addressOf(secret)} label={text.qrPoster} />
      <ol>
        {text.steps.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ol>
      <p>{text.sheetDesk}</p>
    </section>
  );
};
