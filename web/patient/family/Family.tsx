import { useSignal } from '@preact/signals';
import { UserPlus } from 'lucide';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { homeCode, typedPhone } from '../../../src/core/search/phone-rules.ts';
import { useAttempt } from '../../shared/api/attempt.ts';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { DateField } from '../../shared/dates/DateField.tsx';
import { useForm } from '../../shared/form.ts';
import { longDate } from '../../shared/time.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { Field, Select } from '../../shared/ui/Field.tsx';
import { SendButton } from '../../shared/ui/SendButton.tsx';
import { FormFailure, Pending } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { type Member, useFamily } from '../book/family.ts';
import { today } from '../clinic.ts';
import form from '../form.module.css';
import { NeedsLogin } from '../login/NeedsLogin.tsx';
import { Screen, said, toHeadingIfLost } from '../screen.tsx';
import { words } from '../words.ts';

type Relation = 'child' | 'spouse' | 'parent' | 'sibling' | 'other';
const relations: readonly Relation[] = ['child', 'spouse', 'parent', 'sibling', 'other'];

const reread = () => queries.invalidateQueries({ queryKey: ['family'] });

interface RelationProps {
  value: string;
  withSelf?: boolean;
  onChange: (value: string) => void;
}

const RelationField = ({ value, withSelf, onChange }: RelationProps) => {
  const w = words.value;
  const all = withSelf ? (['self', ...relations] as const) : relations;
  return (
    <Select label={w.relation} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
      {all.map((relation) => (
        <option key={relation} value={relation}>
          {w.relations[relation]}
        </option>
      ))}
    </Select>
  );
};

/** The end of a form of the page: what sends it, and the way out. */
const Ends = ({ text, busy, onDone }: { text: string; busy: boolean; onDone: () => void }) => (
  <>
    <SendButton look="primary" type="submit" wide busy={busy}>
      {text}
    </SendButton>
    <Button
      wide
      onClick={() => {
        onDone();
        toHeadingIfLost();
      }}
    >
      {common.value.cancel}
    </Button>
  </>
);

const Add = ({ onDone }: { onDone: () => void }) => {
  const w = words.value;
  const { attempt, bind, labels, onSubmit, set, values } = useForm(
    { name: '', birth_date: '', relation: 'child' },
    { name: w.name, birth_date: w.birthDate, relation: w.relation },
    async ({ relation, ...of }, _changes, key) => {
      const json = { ...of, relation: relation as Relation };
      await take(api.v1.family.$post({ json, header: { 'Idempotency-Key': key } }));
      said.value = words.value.added;
      onDone();
      toHeadingIfLost();
      await reread();
    },
  );
  return (
    <form class={form.card} onSubmit={onSubmit}>
      <h2>{w.addMember}</h2>
      <FormFailure failure={attempt.failure.value} labels={labels} />
      <Field {...bind('name')} autoFocus autocomplete="off" required maxLength={100} />
      <DateField {...bind('birth_date')} required max={today()} />
      <RelationField value={values.relation} onChange={(relation) => set({ relation })} />
      <Ends text={w.add} busy={attempt.busy.value} onDone={onDone} />
    </form>
  );
};

/** Of these only some digits are told: what is left empty stays. */
const masked: readonly string[] = ['national_id', 'insurance_number'];

/** Corrects what the clinic knows of somebody; name and phone of the own record are those of the profile. */
const Change = ({ member, onDone }: { member: Member; onDone: () => void }) => {
  const w = words.value;
  const { id, name, relation, birth_date, sex, phone_country_code, phone_number, address } = member;
  const isOwn = relation === 'self';
  const { attempt, bind, labels, onSubmit, set, values } = useForm(
    {
      ...{
        name,
        relation,
        birth_date: birth_date ?? '',
        sex: sex ?? '',
        phone_number,
        address: address ?? '',
      },
      ...{ national_id: '', insurance_number: '' },
    },
    {
      ...{ name: w.name, relation: w.relation, birth_date: w.birthDate, sex: w.sex, phone_number: w.phone },
      ...{ address: w.address, national_id: w.nationalId, insurance_number: w.insuranceNumber },
    },
    async (_, { phone_number: phone, ...changes }) => {
      const json: Record<string, string | null> = {};
      for (const [field, value] of Object.entries(changes)) {
        const isBlank = value.trim() === '';
        if (!isBlank || !masked.includes(field)) json[field] = isBlank ? null : value;
      }
      if (phone !== undefined) {
        const { code, number } = typedPhone(phone, phone_country_code || homeCode);
        Object.assign(json, { phone_number: number, phone_country_code: code });
      }
      if (Object.keys(json).length > 0) await take(api.v1.family[':id'].$patch({ param: { id }, json }));
      said.value = common.value.saved;
      onDone();
      toHeadingIfLost();
      await reread();
    },
  );
  // What was pressed is gone.
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <form class={form.form} onSubmit={onSubmit}>
      <h2 ref={heading} tabIndex={-1}>
        {w.changeOf(name)}
      </h2>
      <p>{w.changeText}</p>
      <FormFailure failure={attempt.failure.value} labels={labels} />
      {isOwn ? (
        <p>
          <a class={form.link} href="/pasien/akun/profil">
            {w.changeProfile}
          </a>
        </p>
      ) : (
        <>
          <Field {...bind('name')} autocomplete="off" required maxLength={100} />
          <RelationField value={values.relation} onChange={(next) => set({ relation: next as Relation })} />
        </>
      )}
      <DateField {...bind('birth_date')} required={birth_date !== null} max={today()} />
      <Select {...bind('sex')}>
        <option value="">–</option>
        <option value="female">{w.sexes.female}</option>
        <option value="male">{w.sexes.male}</option>
      </Select>
      {!isOwn && (
        <Field
          {...bind('phone_number')}
          hint={w.phoneHint}
          before={`+${phone_country_code || homeCode}`}
          type="tel"
          inputMode="tel"
          autocomplete="off"
          required={phone_number !== ''}
        />
      )}
      <Field {...bind('address')} autocomplete="off" maxLength={500} />
      <Field
        {...bind('national_id')}
        hint={w.numberNow(member.national_id)}
        inputMode="numeric"
        autocomplete="off"
      />
      <Field
        {...bind('insurance_number')}
        hint={w.numberNow(member.insurance_number)}
        inputMode="numeric"
        autocomplete="off"
      />
      <Ends text={w.save} busy={attempt.busy.value} onDone={onDone} />
    </form>
  );
};

const Claim = () => {
  const w = words.value;
  const code = useSignal('');
  const birth = useSignal('');
  const relation = useSignal('child');
  const claim = useAttempt(async (key: string, given: string, birth_date: string, related: string) => {
    const json = { code: given, birth_date, relation: related as Relation | 'self' };
    await take(api.v1.family.claim.$post({ json, header: { 'Idempotency-Key': key } }));
    said.value = words.value.claimed;
    code.value = '';
    await reread();
  });
  return (
    <details class={form.fold}>
      <summary class={form.summary}>{w.claim}</summary>
      <form
        class={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          void claim.run(code.value, birth.value, relation.value);
        }}
      >
        <p>{w.claimText}</p>
        <FormFailure failure={claim.failure.value} labels={{ code: w.claimCode, birth_date: w.birthDate }} />
        <Field
          label={w.claimCode}
          hint={w.claimHint}
          autocomplete="off"
          autocapitalize="characters"
          required
          value={code.value}
          onInput={(event) => (code.value = event.currentTarget.value)}
        />
        <DateField
          label={w.birthDate}
          required
          max={today()}
          value={birth.value}
          onInput={(event) => (birth.value = event.currentTarget.value)}
        />
        <RelationField withSelf value={relation.value} onChange={(value) => (relation.value = value)} />
        <SendButton look="primary" type="submit" wide busy={claim.busy.value}>
          {w.claimDo}
        </SendButton>
      </form>
    </details>
  );
};

/** Says that the clinic looks for an earlier record, whether or not there is one, and takes the date by which it does. */
const Earlier = ({ own }: { own: Member }) => {
  const w = words.value;
  const birth = useSignal('');
  const save = useAttempt(async (_key: string, birth_date: string) => {
    await take(api.v1.family[':id'].$patch({ param: { id: own.id }, json: { birth_date } }));
    said.value = words.value.wasHereSaved;
    await reread();
    toHeadingIfLost();
  });
  return (
    <details class={form.fold}>
      <summary class={form.summary}>{w.wasHere}</summary>
      <form
        class={form.form}
        onSubmit={(event) => {
          event.preventDefault();
          void save.run(birth.value);
        }}
      >
        <p>{w.wasHereText}</p>
        <FormFailure failure={save.failure.value} labels={{ birth_date: w.birthDate }} />
        {own.birth_date === null && (
          <>
            <DateField
              label={w.birthDate}
              required
              max={today()}
              value={birth.value}
              onInput={(event) => (birth.value = event.currentTarget.value)}
            />
            <SendButton look="primary" type="submit" wide busy={save.busy.value}>
              {w.wasHereSave}
            </SendButton>
          </>
        )}
      </form>
    </details>
  );
};

const Remove = ({ member, onClose }: { member: Member; onClose: () => void }) => {
  const w = words.value;
  const remove = useAttempt(async () => {
    await take(api.v1.family[':id'].$delete({ param: { id: member.id } }));
    said.value = words.value.removed;
    onClose();
    await reread();
    // Not earlier: an open dialog holds the focus.
    toHeadingIfLost();
  });
  return (
    <Dialog title={w.removeTitle} onClose={onClose}>
      <p>{w.removeText(member.name)}</p>
      <FormFailure failure={remove.failure.value} />
      <Answers>
        <Button look="primary" autoFocus onClick={onClose}>
          {w.keep}
        </Button>
        <SendButton look="danger" busy={remove.busy.value} onClick={() => void remove.run()}>
          {w.removeMember}
        </SendButton>
      </Answers>
    </Dialog>
  );
};

const Members = () => {
  const w = words.value;
  const isAdding = useSignal(false);
  const changing = useSignal<string | null>(null);
  const removing = useSignal<Member | null>(null);
  const { data, error, refetch } = useFamily();
  if (data === undefined) return <Pending rows={3} height={84} error={error} again={refetch} />;
  const own = data.find(({ relation }) => relation === 'self');
  return (
    <>
      <p>{w.familyText}</p>
      <ul class={form.list}>
        {data.map((member) => (
          <li key={member.id} class={form.item}>
            {changing.value === member.id ? (
              <Change member={member} onDone={() => (changing.value = null)} />
            ) : (
              <>
                <p class={form.strong}>{member.name}</p>
                <p class={form.small}>
                  {w.relations[member.relation]}
                  {member.birth_date && ` · ${longDate(member.birth_date)}`}
                </p>
                <div class={form.row}>
                  <Button
                    small
                    aria-label={`${w.change}: ${member.name}`}
                    onClick={() => (changing.value = member.id)}
                  >
                    {w.change}
                  </Button>
                  {member.relation !== 'self' && (
                    <Button
                      small
                      aria-label={`${w.removeMember}: ${member.name}`}
                      onClick={() => (removing.value = member)}
                    >
                      {w.removeMember}
                    </Button>
                  )}
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
      {isAdding.value ? (
        <Add onDone={() => (isAdding.value = false)} />
      ) : (
        <Button icon={UserPlus} look="primary" wide onClick={() => (isAdding.value = true)}>
          {w.addMember}
        </Button>
      )}
      {own && <Earlier own={own} />}
      <Claim />
      {removing.value && <Remove member={removing.value} onClose={() => (removing.value = null)} />}
    </>
  );
};

const Family = () => (
  <Screen title={words.value.family}>
    <NeedsLogin>
      <Members />
    </NeedsLogin>
  </Screen>
);

export default Family;
