import { useSignal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { TimeField } from '../../shared/dates/TimeField.tsx';
import { useForm, wrongFields } from '../../shared/form.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { useKept } from '../../shared/ui/esc.tsx';
import { Check, Field, TextArea } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import type { Schemas } from '../data/bookings.ts';
import { uponRead } from '../data/overtaken.ts';
import { missingChanged } from '../data/setup.ts';
import look from '../ui/page.module.css';
import { own } from '../words/clinic.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import style from './Clinic.module.css';
import { Logo } from './Logo.tsx';
import type { Picture } from './picture.ts';

type Clinic = Schemas['AdminClinic'];
type Rule = Clinic['set_by_environment'][number];
type Text =
  | 'name'
  | 'address'
  | 'phone'
  | 'logo_url'
  | 'consent_version'
  | 'privacy_notice_url'
  | 'embed_origins';

type Texts = Record<Text | Rule, string>;

const rules: readonly (readonly [name: Rule, min: number, max: number])[] = [
  ['min_notice_minutes', 0, 43_200],
  ['max_advance_days', 1, 730],
  ['cancel_lead_minutes', 0, 43_200],
  ['max_live_bookings', 0, 10_000],
  ['max_unproved_bookings', 0, 10_000],
  ['approval_after_no_shows', 0, 100],
  ['self_check_in_minutes', 0, 720],
  ['retention_years', 0, 100],
];

const listLabels = (): Readonly<Record<Text | Rule | 'color' | 'logo_image', string>> => {
  const text = own.value.clinic;
  return {
    name: text.name,
    address: text.address,
    phone: text.phone,
    logo_image: text.logo,
    logo_url: text.logoUrl,
    color: text.color,
    consent_version: text.consent,
    privacy_notice_url: text.privacyUrl,
    embed_origins: text.embedOrigins,
    min_notice_minutes: text.minNotice,
    max_advance_days: text.maxAdvance,
    cancel_lead_minutes: text.cancelLead,
    max_live_bookings: text.maxLive,
    max_unproved_bookings: text.maxUnproved,
    approval_after_no_shows: text.afterNoShows,
    self_check_in_minutes: text.selfCheckIn,
    retention_years: text.retention,
  };
};

const toTexts = (clinic: Clinic): Texts => ({
  name: clinic.name,
  address: clinic.address,
  phone: clinic.phone,
  logo_url: clinic.logo_url ?? '',
  consent_version: clinic.consent_version ?? '',
  privacy_notice_url: clinic.privacy_notice_url ?? '',
  embed_origins: clinic.embed_origins.join('\n'),
  min_notice_minutes: String(clinic.min_notice_minutes),
  max_advance_days: String(clinic.max_advance_days),
  cancel_lead_minutes: String(clinic.cancel_lead_minutes),
  max_live_bookings: String(clinic.max_live_bookings),
  max_unproved_bookings: String(clinic.max_unproved_bookings),
  approval_after_no_shows: String(clinic.approval_after_no_shows),
  self_check_in_minutes: String(clinic.self_check_in_minutes),
  retention_years: String(clinic.retention_years),
});

type Change = NonNullable<NonNullable<Parameters<typeof api.v1.admin.clinic.$patch>[0]>['json']>;

const isRule = (name: string): name is Rule => rules.some(([rule]) => rule === name);
const mayBeNull: readonly string[] = ['logo_url', 'consent_version', 'privacy_notice_url'];

const entered = (name: string, value: string | undefined) => {
  if (name === 'embed_origins') return value?.split(/\s+/).filter(Boolean);
  return mayBeNull.includes(name) ? value || null : value;
};

/** The input, as the API takes it. */
const toChange = (changes: Partial<Texts>): Change =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      isRule(name) ? Number(value) : entered(name, value),
    ]),
  );

const save = async (json: Change): Promise<Clinic> => (await take(api.v1.admin.clinic.$patch({ json }))).data;
/** The clinic has no id and no time of change: the present time is used. */
const present = async () => ({ id: '', updated_at: new Date(serviceNow()).toISOString() });
const reread = () =>
  Promise.all([
    ...[['atur', 'klinik'], ['klinik']].map((queryKey) => queries.invalidateQueries({ queryKey })),
    missingChanged(),
  ]);

/**
 * The fields of the clinic that an admin may change, or with `only` its identity alone; a rule that a setting decides
 * is read-only.
 */
export const ClinicForm = ({ clinic, only }: { clinic: Clinic; only?: 'identity' }) => {
  const text = own.value.clinic;
  // Undefined for an untouched field: other people's changes show in it, and it is not sent.
  const ownColor = useSignal<string | null | undefined>(undefined);
  const ownRefusal = useSignal<boolean | undefined>(undefined);
  const ownAsking = useSignal<boolean | undefined>(undefined);
  const ownRelease = useSignal<string | undefined>(undefined);
  const logo = useSignal<Picture | null | undefined>(undefined);
  const isSaved = useSignal(false);
  const isFixed = (rule: Rule): boolean => clinic.set_by_environment.includes(rule);
  const color = ownColor.value === undefined ? clinic.color : ownColor.value;
  const refuses = ownRefusal.value ?? clinic.refuse_shared_rooms;
  const asks = ownAsking.value ?? clinic.ask_confirmation;
  const release = ownRelease.value ?? clinic.release_unconfirmed_at?.slice(0, 5) ?? '';
  const releaseAt = release === '' ? null : `${release}:00`;
  const form = useForm(toTexts(clinic), listLabels(), async (_, changes) => {
    const next = logo.peek();
    const changed = {
      ...toChange(changes),
      ...(color !== clinic.color && { color }),
      ...(refuses !== clinic.refuse_shared_rooms && { refuse_shared_rooms: refuses }),
      ...(asks !== clinic.ask_confirmation && { ask_confirmation: asks }),
      ...(releaseAt !== clinic.release_unconfirmed_at && { release_unconfirmed_at: releaseAt }),
      ...(next !== undefined && { logo_image: next?.base64 ?? null }),
    };
    if (Object.keys(changed).length > 0)
      await uponRead(
        'clinic_changed',
        () => save({ ...changed, version: clinic.version }).finally(reread),
        present,
      );
    form.clear();
    ownColor.value = ownRefusal.value = ownAsking.value = undefined;
    ownRelease.value = logo.value = undefined;
    isSaved.value = true;
  });
  const { attempt, bind, labels } = form;
  const errors = wrongFields(attempt);
  const isChanged =
    form.isChanged ||
    color !== clinic.color ||
    refuses !== clinic.refuse_shared_rooms ||
    asks !== clinic.ask_confirmation ||
    releaseAt !== clinic.release_unconfirmed_at ||
    logo.value !== undefined;
  const { onInput, kept } = useKept({ isPage: true, isChanged, isSent: attempt.busy.value });
  const findHint = (rule: Rule): string | undefined => {
    if (isFixed(rule)) return text.fixed;
    if (rule === 'retention_years' || rule === 'approval_after_no_shows') return text.never;
    if (rule === 'self_check_in_minutes') return text.selfCheckInHint;
    return rule.startsWith('max_') && rule.endsWith('bookings') ? text.noLimit : undefined;
  };
  return (
    <form class={style.form} onInput={onInput} onSubmit={form.onSubmit}>
      <FormFailure failure={attempt.failure.value} labels={labels} />
      <fieldset class={style.group}>
        <legend>{text.identity}</legend>
        <Field {...bind('name')} optional maxLength={100} />
        <Field {...bind('address')} optional maxLength={300} />
        <Field {...bind('phone')} optional type="tel" maxLength={30} />
        <Check
          label={text.ownColor}
          checked={color !== null}
          onChange={(event) => (ownColor.value = event.currentTarget.checked ? '#0b6a61' : null)}
        />
        {color !== null && (
          <Field
            label={text.color}
            hint={text.colorHint}
            type="color"
            value={color}
            errors={errors.color}
            onInput={(event) => (ownColor.value = event.currentTarget.value)}
          />
        )}
        <Logo
          key={clinic.version}
          now={clinic.logo}
          next={logo.value}
          errors={errors.logo_image}
          onNext={(next) => (logo.value = next)}
        />
        {only === undefined && <Field {...bind('logo_url')} type="url" optional />}
        <p class={look.soft}>
          {text.zone(clinic.time_zone)} {text.zoneHint}
        </p>
      </fieldset>
      {only === undefined && (
        <>
          <fieldset class={style.group}>
            <legend>{text.rules}</legend>
            <div class={style.rules}>
              {rules.map(([rule, min, max]) => (
                <Field
                  key={rule}
                  {...bind(rule)}
                  hint={findHint(rule)}
                  type="number"
                  min={min}
                  max={max}
                  required
                  readOnly={isFixed(rule)}
                />
              ))}
            </div>
            <Check
              label={text.refuseShared}
              checked={refuses}
              onChange={(event) => (ownRefusal.value = event.currentTarget.checked)}
            />
            <Check
              label={text.askConfirmation}
              checked={asks}
              onChange={(event) => (ownAsking.value = event.currentTarget.checked)}
            />
            {asks && (
              <TimeField
                label={text.releaseUnconfirmed}
                hint={text.releaseHint}
                optional
                value={release}
                errors={errors.release_unconfirmed_at}
                onInput={(event) => (ownRelease.value = event.currentTarget.value)}
              />
            )}
          </fieldset>
          <fieldset class={style.group}>
            <legend>{text.privacy}</legend>
            <Field {...bind('consent_version')} hint={text.consentHint} optional maxLength={40} />
            <Field {...bind('privacy_notice_url')} type="url" optional />
          </fieldset>
          <fieldset class={style.group}>
            <legend>{text.elsewhere}</legend>
            <TextArea {...bind('embed_origins')} hint={text.embedHint} optional spellcheck={false} />
          </fieldset>
        </>
      )}
      {kept}
      <div class={look.line}>
        <Button
          look="primary"
          type="submit"
          busy={attempt.busy.value}
          why={online.value ? null : common.value.offlineAction}
        >
          {words.value.save}
        </Button>
        <span role="status">{isSaved.value && !isChanged ? setup.value.saved : ''}</span>
      </div>
    </form>
  );
};
