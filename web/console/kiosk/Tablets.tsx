import { useSignal } from '@preact/signals';
import { Plus } from 'lucide';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { readAll } from '../../shared/api/pages.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { submitBy, wrongFields } from '../../shared/form.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { QrCode } from '../../shared/ui/QrCode.tsx';
import { confirmedly } from '../../shared/ui/reauth.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, FormFailure, Pending } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Copy } from '../ui/Copy.tsx';
import look from '../ui/page.module.css';
import { shortDateWithin } from '../ui/when.ts';
import { kioskWords } from '../words/kiosk.ts';
import style from './Kiosk.module.css';

type Key = Schemas['ApiKey'];

const scope = 'arrivals:write';
const isTablet = ({ status, scopes }: Key): boolean =>
  status === 'active' && scopes.length === 1 && scopes[0] === scope;

/** Where a tablet takes its key from: it stands behind `#`, so that it is not sent to a server. */
const addressOf = (key: string): string => `${location.origin}/kios/#kunci=${key}`;

const Add = ({ onKey }: { onKey: (key: string) => void }) => {
  const text = kioskWords.value;
  const name = useSignal('');
  const attempt = useAttempt(async (key) => {
    const json = { name: name.peek(), scopes: [scope] as (typeof scope)[], expires_at: null };
    const header = { 'Idempotency-Key': key };
    const { data } = await confirmedly(() => take(api.v1.admin['api-keys'].$post({ json, header })));
    name.value = '';
    onKey(data.key);
    await queries.invalidateQueries({ queryKey: ['kunci'] });
  });
  return (
    <form class={look.form} onSubmit={submitBy(attempt)}>
      <FormFailure failure={attempt.failure.value} labels={{ name: text.name }} />
      <Field
        label={text.name}
        hint={text.nameHint}
        required
        maxLength={100}
        value={name.value}
        errors={wrongFields(attempt).name}
        onInput={(event) => (name.value = event.currentTarget.value)}
      />
      <div class={look.line}>
        <SendButton type="submit" icon={Plus} busy={attempt.busy.value}>
          {text.add}
        </SendButton>
      </div>
    </form>
  );
};

/** The tablets that may check patients in: each is an API key with that scope alone. */
export const Tablets = () => {
  const text = kioskWords.value;
  const keys = useRead({
    queryKey: ['kunci'],
    queryFn: () => readAll((page) => take(api.v1.admin['api-keys'].$get({ query: page }))),
  }).value;
  const made = useSignal<string | null>(null);
  const revoking = useSignal<Key | null>(null);
  const said = useSignal('');
  const revoke = async (param: { id: string }): Promise<void> => {
    await confirmedly(() => take(api.v1.admin['api-keys'][':id'].$delete({ param })));
    said.value = text.revoked;
    await queries.invalidateQueries({ queryKey: ['kunci'] });
  };
  const tablets = keys.data?.filter(isTablet);
  const asked = revoking.value;
  return (
    <section class={look.card} aria-labelledby="tablet">
      <h2 id="tablet">{text.tablets}</h2>
      <p class={look.soft}>{text.tabletsAbout}</p>
      {tablets === undefined ? (
        <Pending rows={2} height={44} error={keys.error} again={keys.refetch} />
      ) : tablets.length === 0 ? (
        <p>{text.noTablets}</p>
      ) : (
        <ul class={look.form}>
          {tablets.map((one) => (
            <li key={one.id} class={`${look.line} ${look.spread}`}>
              <span>
                <strong>{one.name}</strong>{' '}
                <span class={look.soft}>
                  {one.last_used_at === null
                    ? text.never
                    : text.used(
                        `${shortDateWithin(dateOf(one.last_used_at), today())} ${timeOf(one.last_used_at)}`,
                      )}
                </span>
              </span>
              <Button
                small
                look="danger"
                aria-label={`${text.revoke}: ${one.name}`}
                onClick={() => (revoking.value = one)}
              >
                {text.revoke}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <span role="status">{said.value}</span>
      <Add onKey={(key) => (made.value = key)} />
      {made.value !== null && (
        <Banner kind="warning" role="status">
          <p>{text.made}</p>
          <div class={style.code}>
            <QrCode text={addressOf(made.value)} label={text.qrTablet} />
          </div>
          <Copy text={addressOf(made.value)} />
          <Button small onClick={() => (made.value = null)}>
            {text.copied}
          </Button>
        </Banner>
      )}
      {asked !== null && (
        <Confirm
          title={text.askRevoke(asked.name)}
          text={text.askRevokeText}
          verb={text.revoke}
          work={() => revoke({ id: asked.id })}
          onClose={() => (revoking.value = null)}
        />
      )}
    </section>
  );
};
