import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useAttempt } from '../api/attempt.ts';
import { api } from '../api/clients.ts';
import { queries, useResource } from '../api/resource.ts';
import { take } from '../api/take.ts';
import { dateOf, longDate } from '../time.ts';
import { Button } from '../ui/Button.tsx';
import { Confirm } from '../ui/Confirm.tsx';
import { confirmedly } from '../ui/reauth.tsx';
import { FormFailure, Pending } from '../ui/States.tsx';
import { words } from '../words/factors.ts';
import { Codes } from './Codes.tsx';
import look from './factors.module.css';
import { NewPasskey } from './NewPasskey.tsx';
import { knowsPasskeys } from './passkey.ts';
import { type Begun, Totp } from './Totp.tsx';

const calls = api.v1.auth['second-factors'];
export const readFactors = async () => (await take(calls.$get())).data;
type Factor = Awaited<ReturnType<typeof readFactors>>['factors'][number];

type Step =
  | { kind: 'list' }
  | { kind: 'totp'; begun: Begun }
  | { kind: 'passkey' }
  | { kind: 'codes'; codes: readonly string[] };

const nameOf = ({ kind, name }: Factor): string => name || words.value.kinds[kind];

/** The second factors: set up, add, remove. */
export const Factors = ({ onReady }: { onReady?: () => void }) => {
  const w = words.value;
  const step = useSignal<Step>({ kind: 'list' });
  const asking = useSignal<Factor | 'codes' | null>(null);
  const said = useSignal('');
  const heading = useRef<HTMLHeadingElement>(null);
  const isRemoved = useRef(false);
  useLayoutEffect(() => {
    // After the dialog has closed: its button is removed with the factor.
    if (asking.value !== null || !isRemoved.current) return;
    isRemoved.current = false;
    heading.current?.focus();
  }, [asking.value]);
  const { data, error, refetch } = useResource({ queryKey: ['factors'], queryFn: readFactors }).value;
  const list = (): void => {
    step.value = { kind: 'list' };
  };
  const reread = () => queries.invalidateQueries({ queryKey: ['factors'] });
  const start = useAttempt(async () => {
    step.value = { kind: 'totp', begun: (await confirmedly(() => take(calls.totp.$post({})))).data };
  });
  const done = (codes: readonly string[]): void => {
    said.value = codes.length === 0 ? w.added : '';
    step.value = codes.length === 0 ? { kind: 'list' } : { kind: 'codes', codes };
    void reread();
    if (codes.length === 0) onReady?.();
  };
  const now = step.value;
  if (now.kind === 'codes')
    return (
      <Codes
        codes={now.codes}
        onKept={() => {
          list();
          onReady?.();
        }}
      />
    );
  if (now.kind === 'totp') return <Totp begun={now.begun} onDone={done} onClose={list} />;
  if (now.kind === 'passkey') return <NewPasskey onDone={done} onClose={list} />;
  if (data === undefined) return <Pending rows={2} height={120} error={error} again={refetch} />;
  const { factors } = data;
  const isOn = factors.length > 0;
  const isLast = factors.length === 1;
  const asked = asking.value;
  const remove = async ({ id }: Factor): Promise<void> => {
    await confirmedly(() => take(calls[':id'].$delete({ param: { id } })));
    said.value = w.removed;
    isRemoved.current = true;
    await reread();
  };
  const renew = async (): Promise<void> => {
    const { data: made } = await confirmedly(() => take(calls['recovery-codes'].$post({})));
    step.value = { kind: 'codes', codes: made.recovery_codes };
    await reread();
  };
  return (
    <section class={look.card}>
      <h2 class={look.strong} tabIndex={-1} ref={heading}>
        {isOn ? w.on : w.off}
      </h2>
      <p>{w.about}</p>
      <p role="status" class={said.value === '' ? 'aloud' : look.soft}>
        {said.value}
      </p>
      <FormFailure failure={start.failure.value} />
      {isOn && (
        <ul class={look.factors}>
          {factors.map((factor) => (
            <li key={factor.id} class={look.factor}>
              <div>
                <p class={look.strong}>{nameOf(factor)}</p>
                <p class={look.soft}>
                  {factor.name !== '' && `${w.kinds[factor.kind]} · `}
                  {w.since(longDate(dateOf(factor.created_at)))} ·{' '}
                  {w.lastUsed(longDate(dateOf(factor.last_used_at)))}
                </p>
              </div>
              {!(isLast && data.required) && (
                <Button
                  small
                  look="danger"
                  aria-label={`${w.remove}: ${nameOf(factor)}`}
                  onClick={() => (asking.value = factor)}
                >
                  {w.remove}
                </Button>
              )}
            </li>
          ))}
        </ul>
      )}
      {isLast && data.required && <p class={look.soft}>{w.lastRequired}</p>}
      <div class={look.buttons}>
        <Button look={isOn ? 'plain' : 'primary'} busy={start.busy.value} onClick={() => void start.run()}>
          {factors.some(({ kind }) => kind === 'totp') ? w.changeApp : w.useApp}
        </Button>
        {knowsPasskeys() && (
          <Button onClick={() => (step.value = { kind: 'passkey' })}>{w.addPasskey}</Button>
        )}
      </div>
      {!knowsPasskeys() && <p class={look.soft}>{w.noPasskeys}</p>}
      {isOn && (
        <div class={look.buttons}>
          <p class={look.soft}>{w.codesLeft(data.codes_left)}</p>
          <Button small onClick={() => (asking.value = 'codes')}>
            {w.newCodes}
          </Button>
        </div>
      )}
      {asked !== null && (
        <Confirm
          title={asked === 'codes' ? w.askNewCodes : w.askRemove(nameOf(asked))}
          text={asked === 'codes' ? w.askNewCodesText : isLast ? w.askRemoveLast : w.askRemoveText}
          verb={asked === 'codes' ? w.newCodes : w.remove}
          work={() => (asked === 'codes' ? renew() : remove(asked))}
          onClose={() => (asking.value = null)}
        />
      )}
    </section>
  );
};
