import { useSignal } from '@preact/signals';
import { UserCheck } from 'lucide';
import { queries } from '../../shared/api/resource.ts';
import { dateOf, timeOf } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Confirm } from '../../shared/ui/Confirm.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { now, today } from '../data/clinic.ts';
import { decide, type Match, matchesChanged, type Side, useMatches } from '../data/matches.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, More, Shown, whyNot } from '../ui/Shown.tsx';
import { birthDate, shortDate, sinceWords } from '../ui/when.ts';
import { desk } from '../words/desk.ts';
import style from './Matches.module.css';

const none = '–';

const showPhone = ({ phone_number: number, phone_country_code: country }: Side): string =>
  number === '' ? none : `+${country} ${number}`;

/** The rows of the comparison: what both records say about the person, then what belongs to each. */
const buildRows = ({ account, record }: Match) => {
  const text = desk.value.people;
  const of = (side: Side) => [
    [text.name, side.name],
    [text.birth, side.birth_date === null ? none : birthDate(side.birth_date)],
    [text.email, side.email ?? none],
    [text.phone, showPhone(side)],
    [text.sex, side.sex === null ? none : text.sexes[side.sex]],
    [text.address, side.address ?? none],
    [text.rm, side.medical_record_number ?? none],
    [desk.value.matches.visits, String(side.visits)],
    [
      desk.value.matches.last,
      side.last_visit === null
        ? none
        : `${shortDate(dateOf(side.last_visit), today())} ${timeOf(side.last_visit)}`,
    ],
  ];
  const theirs = of(record);
  return of(account).map(([name = '', own = ''], nth) => ({ name, own, other: theirs[nth]?.[1] ?? '' }));
};

const Sides = ({ match }: { match: Match }) => {
  const text = desk.value.matches;
  return (
    <table class={`${look.table} ${style.table}`}>
      <caption class="aloud">{text.both(match.account.name)}</caption>
      <thead>
        <tr>
          <th scope="col">{text.field}</th>
          <th scope="col">{text.account}</th>
          <th scope="col">{text.record}</th>
        </tr>
      </thead>
      <tbody>
        {buildRows(match).map(({ name, own, other }) => (
          <tr key={name} class={own === other ? undefined : style.differs}>
            <th scope="row">
              {name}
              {own !== other && ` · ${text.differs}`}
            </th>
            <td data-name={text.account}>{own}</td>
            <td data-name={text.record}>{other}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const pair = ({ account, record }: Match): string => `${record.name} → ${account.name}`;

type Verb = 'confirm' | 'decline';

/** Records of the clinic that may be those of patients with an account: the desk compares both, and decides. */
const Matches = () => {
  const text = desk.value.matches;
  const list = useMatches();
  const asked = useSignal<{ match: Match; verb: Verb } | null>(null);
  const said = useSignal('');
  const at = asked.value;
  const close = async (isDone: boolean): Promise<void> => {
    if (at === null) return;
    asked.value = null;
    if (isDone) {
      said.value = text.done[at.verb](at.match.account.name);
      queries.removeQueries({ queryKey: ['cari-pasien'] });
    }
    await matchesChanged();
    // The card is gone, and with it the button that was pressed.
    if (isDone) document.querySelector<HTMLElement>('h1')?.focus();
  };
  return (
    <Page title={text.title}>
      <Age of={list.read} />
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        <p role="status">{said.value}</p>
        <Shown of={list.read} rows={3} height={220} empty={<Empty icon={UserCheck}>{text.empty}</Empty>}>
          {(rows) =>
            rows.map((match) => (
              <section key={match.id} class={look.card}>
                <div class={`${look.line} ${look.spread}`}>
                  <h2>{match.account.name}</h2>
                  <span class={look.soft}>{text.since(sinceWords(match.created_at, now.value))}</span>
                </div>
                <Sides match={match} />
                <div class={look.line}>
                  <Button
                    small
                    look="primary"
                    why={whyNot()}
                    aria-label={`${text.confirm}: ${pair(match)}`}
                    onClick={() => (asked.value = { match, verb: 'confirm' })}
                  >
                    {text.confirm}
                  </Button>
                  <Button
                    small
                    why={whyNot()}
                    aria-label={`${text.decline}: ${pair(match)}`}
                    onClick={() => (asked.value = { match, verb: 'decline' })}
                  >
                    {text.decline}
                  </Button>
                  <a class={look.plainLink} href={`/konsol/pasien/${match.record.id}`}>
                    {text.open}
                  </a>
                </div>
              </section>
            ))
          }
        </Shown>
        <More of={list} />
      </div>
      {at !== null && (
        <Confirm
          title={pair(at.match)}
          text={text.asks[at.verb]}
          verb={text[at.verb]}
          work={(key) => decide(at.match.id, at.verb, key)}
          onClose={(isDone) => void close(isDone)}
        />
      )}
    </Page>
  );
};

export default Matches;
