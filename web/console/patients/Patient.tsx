import { ArrowLeft, CalendarPlus, Hourglass } from 'lucide';
import { useRoute } from 'preact-iso';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { clockTime } from '../../shared/time.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { StateBadge } from '../../shared/ui/StateBadge.tsx';
import { formatPhone, type Schemas, toState } from '../data/bookings.ts';
import { now, today } from '../data/clinic.ts';
import { usePages } from '../data/pages.ts';
import { usePatient } from '../data/patient.ts';
import { Page } from '../shell/Page.tsx';
import { otherSystemFacts } from '../ui/OtherSystem.tsx';
import look from '../ui/page.module.css';
import { Age, More, Shown } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { birthDate, shortDate } from '../ui/when.ts';
import { desk } from '../words/desk.ts';
import { words } from '../words.ts';
import { Claim } from './Claim.tsx';
import { Correct } from './Correct.tsx';
import { Merge } from './Merge.tsx';

type Patient = Schemas['PatientDetail'];

const Facts = ({ patient }: { patient: Patient }) => {
  const text = desk.value.people;
  const facts = [
    [text.phone, formatPhone(patient)],
    [text.email, patient.email],
    [text.birth, patient.birth_date && birthDate(patient.birth_date)],
    [text.sex, patient.sex && text.sexes[patient.sex]],
    [text.rm, patient.medical_record_number],
    [text.nik, patient.national_id],
    [text.bpjs, patient.insurance_number],
    [text.address, patient.address],
    [text.staffNotes, patient.staff_notes],
    ...otherSystemFacts(patient),
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
  const columns = words.value.day.columns;
  const bookings = usePages(['pasien-janji', id], (page) =>
    take(api.v1.patients[':id'].bookings.$get({ param: { id }, query: { ...page, limit: 50 } })),
  );
  const isComing = (one: NonNullable<typeof bookings.rows>[number]): boolean =>
    Date.parse(one.ends_at) >= now.value && !['completed', 'no_show'].includes(toState(one));
  return (
    <>
      <Shown of={bookings.read} height={40} empty={<p>{text.noHistory}</p>}>
        {(all) =>
          (
            [
              [text.coming, all.filter(isComing).reverse()],
              [text.past, all.filter((one) => !isComing(one))],
            ] as const
          ).map(
            ([title, rows]) =>
              rows.length > 0 && (
                <Table
                  key={title}
                  caption={title}
                  isCaptionShown
                  rows={rows}
                  columns={[
                    {
                      name: columns.time,
                      isHead: true,
                      cell: (one) => (
                        <a
                          class={look.plainLink}
                          href={`/konsol/?tanggal=${one.schedule_date}&janji=${one.id}`}
                        >
                          {shortDate(one.schedule_date, today())} {clockTime(one.schedule_time)}
                        </a>
                      ),
                    },
                    { name: columns.label, cell: (one) => one.queue_label },
                    {
                      name: columns.doctor,
                      cell: (one) => (
                        <div>
                          {[one.doctor_name, one.session_name, one.series_id && words.value.series.plain]
                            .filter(Boolean)
                            .join(' · ')}
                          {one.status !== 'canceled' && (
                            <p>
                              <a
                                href={`/konsol/kontrol/${one.id}`}
                                aria-label={`${words.value.followUp}: ${shortDate(one.schedule_date, today())} ${clockTime(one.schedule_time)}`}
                              >
                                {words.value.followUp}
                              </a>
                            </p>
                          )}
                        </div>
                      ),
                    },
                    {
                      name: columns.state,
                      cell: (one) => (
                        <StateBadge state={toState(one)} word={words.value.short[toState(one)]} />
                      ),
                    },
                  ]}
                />
              ),
          )
        }
      </Shown>
      <More of={bookings} />
    </>
  );
};

/** One patient: identity, past and upcoming visits, and the corrections that the desk may make. */
const PatientPage = () => {
  const id = useRoute().params.id ?? '';
  const text = desk.value.people;
  const patient = usePatient(id).value;
  return (
    <Page
      title={patient.data?.name ?? text.title}
      beside={
        <ButtonLink small icon={ArrowLeft} href="/konsol/pasien">
          {text.title}
        </ButtonLink>
      }
    >
      <Age of={patient} />
      <div class={look.body}>
        <Shown of={patient} height={80}>
          {(data) => (
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
                <Claim key={data.id} patient={data} />
                <Merge key={data.id} patient={data} />
              </section>
              <section class={look.card}>
                <div class={`${look.line} ${look.spread}`}>
                  <h2>{text.history}</h2>
                  <div class={look.line}>
                    <ButtonLink small icon={CalendarPlus} href={`/konsol/rangkaian/${id}`}>
                      {words.value.series.make}
                    </ButtonLink>
                    <ButtonLink small icon={Hourglass} href={`/konsol/tunggu?pasien=${id}`}>
                      {words.value.nav.tunggu}
                    </ButtonLink>
                  </div>
                </div>
                <History key={data.id} id={data.id} />
              </section>
            </div>
          )}
        </Shown>
      </div>
    </Page>
  );
};

export default PatientPage;
