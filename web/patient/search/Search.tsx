import { useSignal } from '@preact/signals';
import { Search as SearchIcon, Users } from 'lucide';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { open } from '../../shared/api/clients.ts';
import { useResource } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { fullName, practiceText } from '../../shared/doctor.ts';
import { clockTime, nearness, shortParts, zoneName } from '../../shared/time.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Empty, Freshness, Pending, Skeleton } from '../../shared/ui/States.tsx';
import { anyAt } from '../book/addresses.ts';
import { initials, today, useSessions } from '../clinic.ts';
import { Screen } from '../screen.tsx';
import { words } from '../words.ts';
import style from './Search.module.css';

const readDoctors = async (q: string, session_id: string) => {
  const query = {
    include: 'next_available',
    limit: 100,
    ...(q !== '' && { q }),
    ...(session_id !== '' && { session_id }),
  } as const;
  return (await take(open.v1.doctors.$get({ query }))).data;
};
type Doctor = Awaited<ReturnType<typeof readDoctors>>[number];

/** "hari ini 10.30 WIB", "Sel 1 Des, 10.30 WIB" */
const earliest = ({
  schedule_date,
  schedule_time,
  ends_at,
}: NonNullable<Doctor['next_available']>): string => {
  const { weekday, day, month } = shortParts(schedule_date);
  const near = nearness(schedule_date, today());
  return `${near ?? `${weekday} ${day} ${month}`}, ${clockTime(schedule_time)} ${zoneName(ends_at)}`;
};

const DoctorCard = ({ doctor, session }: { doctor: Doctor; session: string }) => {
  const w = words.value;
  const next = doctor.next_available;
  const of = session === '' ? next?.session_id : session;
  const at = `/pasien/dokter/${doctor.id}${of ? `?layanan=${of}` : ''}${next ? `${of ? '&' : '?'}tanggal=${next.schedule_date}` : ''}`;
  return (
    <li>
      <a class={style.doctor} href={at}>
        <span class={style.initials} aria-hidden="true">
          {initials(doctor.name)}
        </span>
        <span class={style.who}>
          <span class={style.name}>{fullName(doctor)}</span>
          <span class={style.more}>{practiceText(doctor)}</span>
        </span>
        <span class={next ? style.earliest : style.none}>
          {next ? (
            <>
              <span>{w.earliest}</span> <strong class="tnum">{earliest(next)}</strong>
            </>
          ) : (
            w.noneSoon
          )}
        </span>
      </a>
      {doctor.page_slug !== null && (
        <a
          class={style.wait}
          href={`/dokter/${doctor.page_slug}`}
          aria-label={`${w.doctorPage}: ${fullName(doctor)}`}
        >
          {w.doctorPage}
        </a>
      )}{' '}
      {next === null && (
        <a
          class={style.wait}
          href={`/pasien/tunggu?dokter=${doctor.id}${of ? `&layanan=${of}` : ''}`}
          aria-label={`${w.letMeKnow}: ${fullName(doctor)}`}
        >
          {w.letMeKnow}
        </a>
      )}
    </li>
  );
};

/** The earliest time of all doctors who are listed, and whose it is. */
const AnyDoctor = ({ doctors, session }: { doctors: readonly Doctor[]; session: string }) => {
  const w = words.value;
  const startOf = ({ next_available: next }: Doctor) => `${next?.schedule_date} ${next?.schedule_time}`;
  const [first] = doctors
    .filter(({ next_available }) => next_available)
    .sort((a, b) => startOf(a).localeCompare(startOf(b)));
  const next = first?.next_available;
  if (!first || !next || doctors.length < 2) return null;
  return (
    <li>
      <a class={style.doctor} href={anyAt(session || next.session_id, next.schedule_date)}>
        <span class={style.initials} aria-hidden="true">
          <Icon of={Users} />
        </span>
        <span class={style.who}>
          <span class={style.name}>{w.anyDoctor}</span>
          <span class={style.more}>{w.anyDoctorText}</span>
        </span>
        <span class={style.earliest}>
          <span>{w.earliest}</span> <strong class="tnum">{earliest(next)}</strong>
          <span>{fullName(first)}</span>
        </span>
      </a>
    </li>
  );
};

const Results = ({ q, session }: { q: string; session: string }) => {
  const w = words.value;
  const doctors = useResource({
    queryKey: ['doctors', q, session],
    queryFn: () => readDoctors(q, session),
    placeholderData: (before: Doctor[] | undefined) => before,
    staleTime: 30_000,
    meta: { isPublic: true },
  });
  const { data, error, refetch, dataUpdatedAt, isError, isPlaceholderData } = doctors.value;
  if (data === undefined) return <Pending rows={3} height={124} error={error} again={refetch} />;
  return (
    <>
      <Freshness at={dataUpdatedAt} isStale={isError} />
      <p class="aloud" role="status">
        {isPlaceholderData ? '' : w.doctorsFound(data.length)}
      </p>
      {data.length === 0 ? (
        <Empty icon={SearchIcon}>{q === '' ? w.noDoctorYet : w.noDoctor}</Empty>
      ) : (
        <ul class={style.list} aria-busy={isPlaceholderData}>
          {q === '' && <AnyDoctor doctors={data} session={session} />}
          {data.map((doctor) => (
            <DoctorCard key={doctor.id} doctor={doctor} session={session} />
          ))}
        </ul>
      )}
    </>
  );
};

/** The address of a search: it can be gone back to, and sent to somebody. */
const buildAddress = (q: string, session: string): string => {
  const query = new URLSearchParams({ ...(q !== '' && { q }), ...(session !== '' && { layanan: session }) });
  return `/pasien/dokter${query.size > 0 ? `?${query}` : ''}`;
};

export const Search = () => {
  const w = words.value;
  const { path, query, route } = useLocation();
  // A doctor was pressed meanwhile, whose page is still being loaded: this one stays as it was, and takes nobody back.
  const isHere = /^\/pasien\/dokter\/?$/.test(path);
  const own = useRef(query);
  if (isHere) own.current = query;
  const { q = '', layanan = '' } = own.current as { q?: string; layanan?: string };
  const typed = useSignal(q);
  const asked = useRef(q);
  const search = (): void => {
    asked.current = typed.peek().trim();
    route(buildAddress(asked.current, layanan), true);
  };
  const { data: sessions, isPending } = useSessions();
  // After Back to another search its text is in the field.
  useLayoutEffect(() => {
    if (q !== asked.current) typed.value = q;
    asked.current = q;
  }, [q]);
  useEffect(() => {
    if (!isHere || typed.value.trim() === q) return;
    const timer = setTimeout(search, 250);
    return () => clearTimeout(timer);
  }, [typed.value, isHere, q, layanan]);
  return (
    <Screen title={w.findDoctor} back="/pasien/">
      <search>
        <form
          class={style.search}
          onSubmit={(event) => {
            event.preventDefault();
            search();
          }}
        >
          <label class={style.label} for="cari">
            {w.searchLabel}
          </label>
          <span class={style.field}>
            <Icon of={SearchIcon} />
            <input
              id="cari"
              type="search"
              enterKeyHint="search"
              autocomplete="off"
              value={typed.value}
              onInput={(event) => {
                typed.value = event.currentTarget.value;
              }}
            />
          </span>
        </form>
      </search>
      {isPending && <Skeleton rows={3} height={124} />}
      {/* Shown with the filter above it, whose height nobody knows before: no doctor moves under the thumb. */}
      <div class={isPending ? undefined : style.found} hidden={isPending}>
        {sessions !== undefined && sessions.length > 1 && (
          <nav aria-label={w.sessionFilter}>
            <ul class={style.chips}>
              {[{ id: '', name: w.allSessions }, ...sessions].map(({ id, name }) => (
                <li key={id}>
                  <a
                    class={style.chip}
                    href={buildAddress(typed.value.trim(), id)}
                    aria-current={id === layanan ? 'true' : undefined}
                  >
                    {name}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        <Results q={q} session={layanan} />
      </div>
    </Screen>
  );
};

export default Search;
