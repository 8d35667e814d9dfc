import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries, useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { dateOf, nearDateWithin, timeOf } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Check } from '../../shared/ui/Field.tsx';
import { confirmedly, Reauthentication } from '../../shared/ui/reauth.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import { Verbatim } from '../../shared/ui/Verbatim.tsx';
import { today } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said, toHeadingIfLost } from '../screen.tsx';
import { words } from '../words.ts';

const readFeeds = async () => (await take(api.v1['calendar-feeds'].$get())).data;

const toWebcal = (address: string): string => address.replace(/^https?/, 'webcal');

/** The pages on which a program of the web subscribes to an address. */
const subscriptionPages: Readonly<Record<string, (address: string) => string>> = {
  'Google Calendar': (address) =>
    `https://calendar.google.com/calendar/render?cid=${encodeURIComponent(toWebcal(address))}`,
  Outlook: (address) => `https://outlook.live.com/calendar/0/addfromweb?url=${encodeURIComponent(address)}`,
};

/** The addresses at which a calendar program reads the bookings; a new one is shown once. */
const Feeds = () => {
  const w = words.value;
  const details = useSignal(true);
  const made = useSignal<string | null>(null);
  const { data, error, refetch } = useResource({ queryKey: ['feeds'], queryFn: readFeeds }).value;
  const reread = () => queries.invalidateQueries({ queryKey: ['feeds'] });
  const make = useAttempt(async (key) => {
    const json = { details: details.value };
    const answer = await confirmedly(() =>
      take(api.v1['calendar-feeds'].$post({ json, header: { 'Idempotency-Key': key } })),
    );
    made.value = `${location.origin}${answer.data.path}`;
    await reread();
  });
  const end = useAttempt(async (_key, id: string) => {
    await take(api.v1['calendar-feeds'][':id'].$delete({ param: { id } }));
    made.value = null;
    said.value = words.value.feedEnded;
    await reread();
    toHeadingIfLost();
  });
  if (data === undefined) return <Pending rows={2} height={96} error={error} again={refetch} />;
  return (
    <>
      <p>{w.feedText}</p>
      <FormFailure failure={make.failure.value ?? end.failure.value} />
      <Check
        label={w.feedDetails}
        checked={details.value}
        onChange={(event) => (details.value = event.currentTarget.checked)}
      />
      <SendButton look="primary" wide busy={make.busy.value} onClick={() => void make.run()}>
        {w.feedMake}
      </SendButton>
      <div role="status">
        {made.value !== null && (
          <div class={form.item}>
            <p class={form.strong}>{w.feedOnce}</p>
            <Verbatim>{made.value}</Verbatim>
            <ButtonLink small href={toWebcal(made.value)}>
              {w.feedOpen}
            </ButtonLink>
            {Object.entries(subscriptionPages).map(([name, pageOf]) => (
              <ButtonLink
                key={name}
                small
                href={pageOf(made.value ?? '')}
                target="_blank"
                rel="noopener noreferrer"
              >
                {name}
              </ButtonLink>
            ))}
            <Button
              small
              onClick={() =>
                void navigator.clipboard?.writeText(made.value ?? '').then(
                  () => (said.value = w.feedCopied),
                  () => {},
                )
              }
            >
              {w.feedCopy}
            </Button>
          </div>
        )}
      </div>
      <ul class={form.list}>
        {data.map(({ id, details: named, created_at }) => {
          const since = w.feedSince(`${nearDateWithin(dateOf(created_at), today())}, ${timeOf(created_at)}`);
          return (
            <li key={id} class={form.item}>
              <p class={form.strong}>{since}</p>
              <p class={form.small}>{named ? w.feedNamed : w.feedBare}</p>
              <div>
                <SendButton
                  small
                  aria-label={`${w.feedEnd}: ${since}`}
                  busy={end.busy.value}
                  onClick={() => void end.run(id)}
                >
                  {w.feedEnd}
                </SendButton>
              </div>
            </li>
          );
        })}
      </ul>
    </>
  );
};

export const CalendarPage = () => (
  <Screen title={words.value.feeds} back="/pasien/akun">
    <NeedsLogin>
      <Feeds />
      <Reauthentication />
    </NeedsLogin>
  </Screen>
);
