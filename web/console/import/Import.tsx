import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { neededVisitFields } from '../../../src/modules/booking/import/cell-rules.ts';
import { RowTooLarge, UnclosedQuote } from '../../../src/modules/patients/import/csv-rows.ts';
import { possibleOrders, typedDate } from '../../../src/modules/patients/import/date-rules.ts';
import { type FileForm, recognizeFile, UnreadableFile } from '../../../src/modules/patients/import/reader.ts';
import { useAttempt } from '../../shared/api/attempt.ts';
import { queries } from '../../shared/api/resource.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Check, Field, Select } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { importing } from '../words/import.ts';
import { Columns } from './Columns.tsx';
import style from './Import.module.css';
import { Results } from './Results.tsx';
import {
  type AnyField,
  begin,
  filesOf,
  hashFileKey,
  type Import,
  type Kind,
  type Plan,
  type RowResult,
  sendRows,
  toOpener,
} from './run.ts';

const maxBytes = 50 * 1024 * 1024;

interface Chosen {
  file: File;
  form: FileForm;
}

/** One pass over the file: a check that writes nothing, or the import itself. */
interface Pass {
  plan: Plan;
  now: Import;
  isKnown: boolean;
  refused: readonly RowResult[];
}

const explainFailure = (error: unknown) => (error instanceof UnreadableFile ? error.why : 'failed');

/** The fields of dates that people type. */
const dateFields: readonly AnyField[] = ['birth_date', 'date'];

/** The dates in the first rows, where a column has them; without a time behind them. */
const datesIn = ({ sample }: FileForm, columns: readonly (AnyField | null)[]): string[] => {
  const at = columns.findIndex((field) => field !== null && dateFields.includes(field));
  return at < 0 ? [] : sample.flatMap((cells) => cells[at]?.replace(/[T ]+\d{1,2}[:.]\d{2}.*$/, '') ?? []);
};

/** Imports patients from a file: choose it, recognize and correct its columns, check, import, show the results. */
const ImportPage = () => {
  const text = importing.value;
  const kind = useSignal<Kind>('patients');
  const chosen = useSignal<Chosen | null>(null);
  const unreadable = useSignal<keyof typeof text.unreadable | null>(null);
  const tooLarge = useSignal<number | null>(null);
  const unclosed = useSignal<number | null>(null);
  const columns = useSignal<readonly (AnyField | null)[]>([]);
  const order = useSignal<'' | NonNullable<Plan['dateOrder']>>('');
  const onDuplicate = useSignal<Plan['onDuplicate']>('skip');
  const source = useSignal('');
  const events = useSignal(false);
  const check = useSignal<Pass | null>(null);
  const done = useSignal<Pass | null>(null);
  const turn = useSignal(0);
  const heading = useRef<HTMLHeadingElement>(null);

  const recognize = (form: FileForm, next: readonly (AnyField | null)[]): void => {
    columns.value = next;
    const orders = possibleOrders(datesIn(form, next));
    // An order that the file's own dates prove needs no confirmation.
    order.value = orders.length === 1 ? (orders[0] ?? '') : '';
  };
  const forget = (): void => {
    check.value = null;
    done.value = null;
  };
  const choose = async (file: File | undefined): Promise<void> => {
    forget();
    chosen.value = null;
    unreadable.value = null;
    tooLarge.value = null;
    unclosed.value = null;
    if (file === undefined) return;
    if (file.size > maxBytes) {
      unreadable.value = 'too_large';
      return;
    }
    try {
      const fields = filesOf[kind.value];
      const form = await recognizeFile(toOpener(file), fields.recognize);
      recognize(form, fields.recognize(form.header));
      chosen.value = { file, form };
    } catch (error) {
      if (error instanceof UnclosedQuote) unclosed.value = error.line;
      else if (error instanceof RowTooLarge) tooLarge.value = error.row;
      else unreadable.value = explainFailure(error);
    }
  };

  const pass = useAttempt(async (_key: string, isDryRun: boolean) => {
    if (chosen.value === null) return;
    const target = isDryRun ? check : done;
    if (target.value === null) {
      const { file, form } = chosen.value;
      const plan: Plan = {
        kind: kind.value,
        ...{ open: toOpener(file), form, columns: columns.value, source: source.value.trim() },
        ...{ onDuplicate: onDuplicate.value, dateOrder: order.value || null },
        events: kind.value === 'visits' && events.value,
        fileKey: isDryRun ? null : await hashFileKey(file, columns.value),
      };
      const now = await begin(plan, isDryRun);
      target.value = { plan, now, isKnown: now.status === 'finished', refused: [] };
    }
    const { plan, now } = target.value;
    await sendRows(plan, now, (next, results) => {
      if (target.value === null) return;
      const refused = results.filter(({ outcome }) => outcome === 'refused');
      target.value = { ...target.value, now: next, refused: [...target.value.refused, ...refused] };
    }).catch((error: unknown) => {
      if (!(error instanceof RowTooLarge)) throw error;
      tooLarge.value = error.row;
    });
    if (tooLarge.value !== null) {
      forget();
      return;
    }
    heading.current?.focus();
    if (!isDryRun) void queries.invalidateQueries({ queryKey: ['cari-pasien'] });
  });

  const file = chosen.value;
  const asksOrder =
    file !== null &&
    datesIn(file.form, columns.value).some((typed) => {
      const read = typedDate(typed, null);
      return 'problem' in read && read.problem === 'date_order';
    });
  const lacks = (field: AnyField): boolean => !columns.value.includes(field);
  const missingColumn = (): string | null => {
    if (kind.value === 'patients') return lacks('name') ? text.noName : null;
    if (lacks('patient_external_id') && lacks('medical_record_number')) return text.noPatient;
    const field = neededVisitFields.find(lacks);
    return field === undefined ? null : text.noColumn(text.fields[field]);
  };
  const missing = missingColumn() ?? (asksOrder && order.value === '' ? text.noOrder : null);
  const problems = [
    ...(unreadable.value === null ? [] : [text.unreadable[unreadable.value]]),
    ...(unclosed.value === null ? [] : [text.unclosedQuote(unclosed.value)]),
    ...(tooLarge.value === null ? [] : [text.rowTooLarge(tooLarge.value)]),
  ];
  const shown = done.value ?? check.value;
  const isDryRun = done.value === null;
  const isOver = shown?.now.status === 'finished';
  const wanted = shown === null ? 0 : shown.now.created + shown.now.updated;
  return (
    <Page title={text.title}>
      <div class={look.body}>
        <p class={look.soft}>{text.about}</p>
        {/* It stays while a file is checked: what was chosen is still there afterwards. */}
        <div class={shown === null ? style.form : style.away} key={turn.value}>
          <section class={look.card}>
            <Select
              label={text.kind}
              hint={text.kindHint}
              value={kind.value}
              onChange={(event) => {
                kind.value = event.currentTarget.value as Kind;
                if (file !== null) void choose(file.file);
              }}
            >
              {(['patients', 'visits'] as const).map((one) => (
                <option key={one} value={one}>
                  {text.kinds[one]}
                </option>
              ))}
            </Select>
            <Field
              label={text.file}
              hint={text.fileHint}
              type="file"
              accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv"
              errors={problems.length === 0 ? undefined : problems}
              onChange={(event) => void choose(event.currentTarget.files?.[0])}
            />
          </section>
          {file !== null && (
            <>
              <Columns
                form={file.form}
                fields={filesOf[kind.value].fields}
                columns={columns.value}
                onColumns={(next) => recognize(file.form, next)}
              />
              <section class={look.card}>
                <h2>{text.rules}</h2>
                <div class={look.fields}>
                  {columns.value.some((field) => field !== null && dateFields.includes(field)) && (
                    <Select
                      label={text.dateOrder}
                      hint={text.dateOrderHint}
                      value={order.value}
                      onChange={(event) => (order.value = event.currentTarget.value as typeof order.value)}
                    >
                      {(['', 'day_first', 'month_first'] as const).map((one) => (
                        <option key={one} value={one}>
                          {text.dateOrders[one]}
                        </option>
                      ))}
                    </Select>
                  )}
                  {kind.value === 'patients' && (
                    <Select
                      label={text.onDuplicate}
                      value={onDuplicate.value}
                      onChange={(event) =>
                        (onDuplicate.value = event.currentTarget.value as Plan['onDuplicate'])
                      }
                    >
                      {(['skip', 'update', 'make'] as const).map((one) => (
                        <option key={one} value={one}>
                          {text.onDuplicates[one]}
                        </option>
                      ))}
                    </Select>
                  )}
                  {(columns.value.includes('external_id') ||
                    columns.value.includes('patient_external_id')) && (
                    <Field
                      label={text.source}
                      hint={text.sourceHint}
                      optional
                      maxLength={50}
                      value={source.value}
                      onInput={(event) => (source.value = event.currentTarget.value)}
                    />
                  )}
                </div>
                {kind.value === 'visits' && (
                  <div>
                    <Check
                      label={text.events}
                      checked={events.value}
                      onChange={(event) => (events.value = event.currentTarget.checked)}
                    />
                    <p class={look.soft}>{text.eventsText}</p>
                  </div>
                )}
                <FormFailure failure={pass.failure.value} />
                <div class={look.line}>
                  <SendButton
                    look="primary"
                    busy={pass.busy.value}
                    why={missing}
                    onClick={() => void pass.run(true)}
                  >
                    {text.check}
                  </SendButton>
                </div>
              </section>
            </>
          )}
        </div>
        {shown !== null && (
          <section class={look.card}>
            <h2 tabIndex={-1} ref={heading}>
              {isOver ? (isDryRun ? text.checked : text.done) : isDryRun ? text.underCheck : text.under}
            </h2>
            {isOver ? (
              <>
                {shown.isKnown ? (
                  <Banner role="status">{text.known}</Banner>
                ) : (
                  isDryRun && <p class={look.soft}>{text.checkedText}</p>
                )}
                <Results of={shown.now} refused={shown.refused} />
              </>
            ) : (
              <p role="status">{(isDryRun ? text.checking : text.running)(shown.now.last_row)}</p>
            )}
            <FormFailure failure={pass.failure.value} />
            {!isOver && pass.failure.value !== null && <p>{text.broken}</p>}
            <div class={look.line}>
              {!isOver && pass.failure.value !== null && (
                <SendButton look="primary" onClick={() => void pass.run(isDryRun)}>
                  {text.goOn}
                </SendButton>
              )}
              {isOver && isDryRun && (
                <>
                  {wanted === 0 ? (
                    <p>{text.nothing}</p>
                  ) : (
                    <SendButton look="primary" busy={pass.busy.value} onClick={() => void pass.run(false)}>
                      {text.start(wanted)}
                    </SendButton>
                  )}
                  <Button onClick={forget}>{text.change}</Button>
                </>
              )}
              {isOver && !isDryRun && (
                <>
                  <ButtonLink look="primary" href="/konsol/pasien">
                    {text.toPatients}
                  </ButtonLink>
                  <Button
                    onClick={() => {
                      forget();
                      chosen.value = null;
                      turn.value += 1;
                    }}
                  >
                    {text.another}
                  </Button>
                </>
              )}
            </div>
          </section>
        )}
      </div>
    </Page>
  );
};

export default ImportPage;
