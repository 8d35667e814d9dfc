import { useSignal } from '@preact/signals';
import { Search, UserPlus } from 'lucide';
import { useEffect, useRef } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { addDays, clockTime } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Empty, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import { phoneTail } from '../data/bookings.ts';
import { today } from '../data/clinic.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { shortDate } from '../ui/when.ts';
import { desk } from '../words/meja.ts';

const isCode = (text: string): boolean => /^[a-z0-9]{8}$/i.test(text) && /\d/.test(text);

/** Bookings by their code, of any near day. */
const ByCode = ({ code }: { code: string }) => {
  const date = today();
  const found = useRead({
    queryKey: ['kode', code],
    queryFn: async () =>
      (
        await take(
          api.v1.bookings.$get({
            query: { q: code, from: addDays(date, -31), to: addDays(date, 60), limit: 10 },
          }),
        )
      ).data,
  }).value.data;
  if (found === undefined || found.length === 0) return null;
  return (
    <section class={look.card}>
      <h2>{desk.value.people.byCode}</h2>
      <ul class={look.list}>
        {found.map((one) => (
          <li key={one.id}>
            <a href={`/konsol/?tanggal=${one.schedule_date}&janji=${one.id}`}>
              {one.queue_label} · {one.patient.name} · {shortDate(one.schedule_date, date)}{' '}
              {clockTime(one.schedule_time)}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
};

/** Finding a patient. What was asked stands in the address. */
const Cari = () => {
  const { query, set } = useAddress();
  const q = query.q ?? '';
  const text = desk.value.people;
  const typed = useSignal(q);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    typed.value = q;
    if (q === '') input.current?.focus();
  }, [q]);
  const found = useRead({
    queryKey: ['cari-pasien', 'halaman', q],
    queryFn: async () => (await take(api.v1.patients.$get({ query: { q, limit: 50 } }))).data,
    enabled: q !== '',
    staleTime: 10_000,
  }).value;
  return (
    <Page
      title={text.title}
      ownFocus={q === ''}
      beside={
        <ButtonLink small icon={UserPlus} href="/konsol/datang">
          {text.add}
        </ButtonLink>
      }
    >
      <Freshness at={found.dataUpdatedAt || undefined} />
      <div class={look.body}>
        <form
          class={look.form}
          onSubmit={(event) => {
            event.preventDefault();
            set({ q: typed.peek().trim() });
          }}
        >
          <Field
            label={text.find}
            type="search"
            autocomplete="off"
            inputRef={input}
            value={typed.value}
            onInput={(event) => (typed.value = event.currentTarget.value)}
          />
          <div class={look.line}>
            <Button type="submit" small icon={Search}>
              {text.submit}
            </Button>
          </div>
        </form>
        {isCode(q) && <ByCode key={q} code={q} />}
        {q === '' ? (
          <Empty>{text.start}</Empty>
        ) : found.data === undefined ? (
          found.error === null ? (
            <Skeleton rows={6} height={40} />
          ) : (
            <ReadFailure failure={found.error} again={found.refetch} />
          )
        ) : found.data.length === 0 ? (
          <Empty>{text.empty}</Empty>
        ) : (
          <table class={look.table}>
            <caption class="aloud">{text.title}</caption>
            <thead>
              <tr>
                {(['name', 'birth', 'phone', 'number', 'account'] as const).map((name) => (
                  <th key={name} scope="col">
                    {text.columns[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {found.data.map((one) => (
                <tr key={one.id}>
                  <th scope="row">
                    <a class={look.plainLink} href={`/konsol/pasien/${one.id}`}>
                      {one.name}
                    </a>
                  </th>
                  <td>{one.birth_date ?? '–'}</td>
                  <td class="tnum">{phoneTail(one) || '–'}</td>
                  <td class="tnum">{one.medical_record_number ?? '–'}</td>
                  <td>{one.has_account ? text.account : text.noAccount}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <span class="aloud" role="status">
        {found.data && q !== '' ? desk.value.walkIn.found(found.data.length) : ''}
      </span>
    </Page>
  );
};

export default Cari;
