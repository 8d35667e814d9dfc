import { useSignal } from '@preact/signals';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { inDigits } from '../../shared/number.ts';
import { clockTime, dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Select } from '../../shared/ui/Field.tsx';
import { Banner, Empty } from '../../shared/ui/States.tsx';
import type { Schemas } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { usePages } from '../data/pages.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, More, Refusal, Shown, whyNot } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { shortDate } from '../ui/when.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';

type Exchange = Schemas['Exchange'];
type System = Schemas['ExchangeSystem'];
const states = ['parked', 'waiting', 'left'] as const;
const systemNames = { bpjs: 'BPJS Antrean', satusehat: 'SATUSEHAT' } as const;
const everyMs = 15_000;

const formatWhen = (at: string): string => `${shortDate(dateOf(at), today())} ${timeOf(at)}`;

/** The state of each system that is on, one sentence each. */
const Systems = ({ of }: { of: readonly System[] }) => {
  const text = setup.value.exchange;
  if (of.length === 0) return <Empty>{text.off}</Empty>;
  return (
    <>
      {of.map(({ system, waiting, parked, resting_until, message }) => {
        const says = `${systemNames[system]}: ${text.counts(inDigits(waiting), inDigits(parked))}`;
        return resting_until === null ? (
          <p key={system}>{says}</p>
        ) : (
          <Banner key={system} kind="warning">
            <p>
              {says} {text.resting(timeOf(resting_until))} {message}
            </p>
          </Banner>
        );
      })}
    </>
  );
};

/** What waits to be reported to BPJS and SATUSEHAT, why it is not taken, and the two things that a person can do. */
const Exchanges = () => {
  const text = setup.value.exchange;
  const state = useSignal<(typeof states)[number]>('parked');
  const systems = useSignal<readonly System[] | null>(null);
  const said = useSignal('');
  const list = usePages(
    ['exchange', state.value],
    async (page) => {
      const read = await take(
        api.v1.admin.exchanges.$get({ query: { ...page, limit: 50, state: state.value } }),
      );
      systems.value = read.meta.systems;
      return read;
    },
    { refetchInterval: everyMs },
  );
  const act = useAttempt(async (_key, { id }: Exchange, verb: 'retry' | 'leave') => {
    const param = { id };
    if (verb === 'retry') await take(api.v1.admin.exchanges[':id'].retry.$post({ param }));
    else await take(api.v1.admin.exchanges[':id'].leave.$post({ param }));
    said.value = verb === 'retry' ? text.retried : text.left;
    await queries.invalidateQueries({ queryKey: ['exchange'] });
  });
  const button = (one: Exchange, verb: 'retry' | 'leave') => (
    <Button
      small
      busy={act.busy.value}
      why={whyNot()}
      aria-label={`${text[verb]}: ${one.booking_code}, ${text.steps[one.step]}`}
      onClick={() => void act.run(one, verb)}
    >
      {text[verb]}
    </Button>
  );
  return (
    <Page title={words.value.nav.pertukaran}>
      <Age of={list.read} everyMs={everyMs} />
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        {systems.value !== null && <Systems of={systems.value} />}
        <div class={look.fields}>
          <Select
            label={text.columns.state}
            value={state.value}
            onChange={(event) => {
              state.value = states.find((one) => one === event.currentTarget.value) ?? 'parked';
            }}
          >
            {states.map((one) => (
              <option key={one} value={one}>
                {text.states[one]}
              </option>
            ))}
          </Select>
        </div>
        <Refusal of={act} />
        <span role="status">{said.value}</span>
        <Shown of={list.read} rows={3} height={44} empty={<Empty>{text.empty}</Empty>}>
          {(rows) => (
            <Table
              caption={words.value.nav.pertukaran}
              rows={rows}
              columns={[
                {
                  name: text.columns.code,
                  isHead: true,
                  look: 'brief',
                  cell: ({ booking_id, booking_code }) => (
                    <a href={`/konsol/?janji=${booking_id}`}>{booking_code}</a>
                  ),
                },
                {
                  name: text.columns.visit,
                  cell: ({ doctor_name, schedule_date, schedule_time }) =>
                    `${doctor_name}, ${shortDate(schedule_date, today())} ${clockTime(schedule_time)}`,
                },
                {
                  name: text.columns.what,
                  cell: ({ system, step, occurred_at }) =>
                    `${systemNames[system]}: ${text.steps[step]} (${formatWhen(occurred_at)})`,
                },
                {
                  name: text.columns.reason,
                  look: 'words',
                  cell: ({ message, answer }) => (
                    <>
                      {message}
                      {answer !== null && <span class={look.soft}> “{answer}”</span>}
                    </>
                  ),
                },
                {
                  name: text.columns.action,
                  look: 'actions',
                  cell: (one) =>
                    one.state !== 'left' && (
                      <>
                        {button(one, 'retry')} {button(one, 'leave')}
                      </>
                    ),
                },
              ]}
            />
          )}
        </Shown>
        <More of={list} />
      </div>
    </Page>
  );
};

export default Exchanges;
