import { useRoute } from 'preact-iso';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { clockTime } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { phoneOf, type Schemas, stateOf } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { desk } from '../words/meja.ts';
import { words } from '../words.ts';
import { Claim } from './Claim.tsx';
import { Correct } from './Correct.tsx';
import { Merge } from './Merge.tsx';

type Patient = Schemas['PatientDetail'];

const Facts = ({ patient }: { patient: Patient }) => {
  const text = desk.value.people;
  const facts = [
    [text.phone, phoneOf(patient)],
    [text.email, patient.email],
    [text.birth, patient.birth_date],
    [text.sex, patient.sex && text.sexes[patient.sex]],
    [text.rm, patient.medical_record_number],
    [text.nik, patient.national_id],
    [text.bpjs, patient.insurance_number],
    [text.address, patient.address],
    [text.staffNotes, patient.staff_notes],
  ] as const;
  return (
    <dl class={look.facts}>
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name} class={look.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
};

const History = ({ id }: { id: string }) => {
  const text = desk.value.people;
  const bookings = useRead({
    queryKey: ['pasien-janji', id],
    queryFn: async () =>
      (await take(api.v1.patients[':id'].bookings.$get({ param: { id }, query: { limit: 50 } }))).data,
  }).value;
  if (bookings.data === undefined)
    return bookings.error === null ? (
      <Skeleton rows={4} height={40} />
    ) : (
      <ReadFailure failure={bookings.error} again={bookings.refetch} />
    );
  if (bookings.data.length === 0) return <p>{text.noHistory}</p>;
  const coming = bookings.data.filter((one) => Date.parse(one.ends_at) >= now.value).reverse();
  const past = bookings.data.filter((one) => Date.parse(one.ends_at) < now.value);
  return (
    <>
      {(
        [
          [text.coming, coming],
          [text.past, past],
        ] as const
      ).map(
        ([title, list]) =>
          list.length > 0 && (
            <table key={title} class={look.table}>
              <caption>{title}</caption>
              <tbody>
                {list.map((one) => (
                  <tr key={one.id}>
                    <th scope="row">
                      <a
                        class={look.plainLink}
                        href={`/konsol/?tanggal=${one.schedule_date}&janji=${one.id}`}
                      >
                        {shortDate(one.schedule_date, today())} {clockTime(one.schedule_time)}
                      </a>
                    </th>
                    <td class="tnum">{one.queue_label}</td>
                    <td>
                      {one.doctor_name} · {one.session_name}
                    </td>
                    <td>
                      <StateBadge state={stateOf(one)} word={words.value.short[stateOf(one)]} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          ),
      )}
    </>
  );
};

/** One patient: who it is, what was and what comes, and what the desk may mend. */
const Pasien = () => {
  const id = useRoute().params.id ?? '';
  const text = desk.value.people;
  const patient = useRead({
    queryKey: ['pasien', id],
    queryFn: async () => (await take(api.v1.patients[':id'].$get({ param: { id } }))).data,
  }).value;
  const { data } = patient;
  return (
    <Page
      title={data?.name ?? text.title}
      beside={
        <ButtonLink small href="/konsol/pasien">
          {text.title}
        </ButtonLink>
      }
    >
      <Freshness at={patient.dataUpdatedAt || undefined} />
      <div class={look.body}>
        {data === undefined ? (
          patient.error === null ? (
            <Skeleton rows={4} height={80} />
          ) : (
            <ReadFailure failure={patient.error} again={patient.refetch} />
          )
        ) : (
          <div class={look.halves}>
            <section class={look.card}>
              <div class={`${look.line} ${look.spread}`}>
                <h2>{text.data}</h2>
                <span class={look.soft}>{data.has_account ? text.account : text.noAccount}</span>
              </div>
              <Facts patient={data} />
              <p class={look.soft}>
                {text.visits(data.visits.completed, data.visits.no_shows, data.visits.cancellations)}
              </p>
              <Correct key={data.id} patient={data} />
              <Claim patient={data} />
              {!data.has_account && <Merge patient={data} />}
            </section>
            <section class={look.card}>
              <h2>{text.history}</h2>
              <History key={data.id} id={data.id} />
            </section>
          </div>
        )}
      </div>
    </Page>
  );
};

export default Pasien;
