import { useSignal } from '@preact/signals';
import { FileUp, Search, UserPlus } from 'lucide';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';
import { clockTime } from '../../shared/time.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Field } from '../../shared/ui/Field.tsx';
import { Empty } from '../../shared/ui/States.tsx';
import { useAddress } from '../data/address.ts';
import { phoneTail } from '../data/bookings.ts';
import { isAdmin, today } from '../data/clinic.ts';
import { usePages } from '../data/pages.ts';
import { useRead } from '../data/read.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, More, Shown } from '../ui/Shown.tsx';
import { Table } from '../ui/Table.tsx';
import { birthDate, shortDate } from '../ui/when.ts';
import { desk } from '../words/desk.ts';
import style from './Search.module.css';

const isCode = (text: string): boolean => /^[a-z0-9]{8}$/i.test(text);

/** A booking by its whole code: without a date it is found on any. A name such as Mahendra has the form of one. */
const ByCode = ({ code }: { code: string }) => {
  const date = today();
  const found = useRead({
    queryKey: ['kode', code],
    queryFn: async () => (await take(api.v1.bookings.$get({ query: { q: code, limit: 10 } }))).data,
  }).value.data;
  const coded = found?.filter((one) => one.booking_code === code.toUpperCase()) ?? [];
  if (coded.length === 0) return null;
  return (
    <section class={look.card}>
      <h2>{desk.value.people.byCode}</h2>
      <ul class={look.list}>
        {coded.map((one) => (
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

/** Patient search. The query is stored in the address. */
const SearchPage = () => {
  const { query, set } = useAddress();
  const q = query.q ?? '';
  const text = desk.value.people;
  const typed = useSignal(q);
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    typed.value = q;
    if (q === '') input.current?.focus();
  }, [q]);
  const found = usePages(
    ['cari-pasien', 'halaman', q],
    (page) => take(api.v1.patients.$get({ query: { ...page, q, limit: 50 } })),
    { enabled: q !== '', staleTime: 10_000 },
  );
  return (
    <Page
      title={text.title}
      ownFocus={q === ''}
      beside={
        <>
          <ButtonLink small icon={UserPlus} href="/konsol/datang">
            {text.add}
          </ButtonLink>
          {isAdmin() && (
            <ButtonLink small icon={FileUp} href="/konsol/impor">
              {text.importFile}
            </ButtonLink>
          )}
        </>
      }
    >
      <Age of={found.read} />
      <div class={look.body}>
        <form
          class={style.find}
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
          <Button type="submit" icon={Search}>
            {text.submit}
          </Button>
        </form>
        {isCode(q) && <ByCode key={q} code={q} />}
        {q === '' ? (
          <Empty>{text.start}</Empty>
        ) : (
          <Shown of={found.read} rows={6} height={40} empty={<Empty>{text.empty}</Empty>}>
            {(rows) => (
              <Table
                caption={text.title}
                rows={rows}
                columns={[
                  {
                    name: text.columns.name,
                    isHead: true,
                    cell: ({ id, name }) => (
                      <a class={look.plainLink} href={`/konsol/pasien/${id}`}>
                        {name}
                      </a>
                    ),
                  },
                  {
                    name: text.columns.birth,
                    cell: ({ birth_date: born }) => (born === null ? '–' : birthDate(born)),
                  },
                  { name: text.columns.phone, look: 'brief', cell: (one) => phoneTail(one) || '–' },
                  {
                    name: text.columns.number,
                    cell: ({ medical_record_number }) => medical_record_number ?? '–',
                  },
                  {
                    name: text.columns.account,
                    cell: ({ has_account }) => (has_account ? text.account : text.noAccount),
                  },
                ]}
              />
            )}
          </Shown>
        )}
        <More of={found} />
      </div>
      <span class="aloud" role="status">
        {found.rows && q !== '' ? text.found(found.rows.length) : ''}
      </span>
    </Page>
  );
};

export default SearchPage;
