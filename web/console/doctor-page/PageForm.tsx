import { useSignal } from '@preact/signals';
import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { take } from '../../shared/api/take.ts';
import { serviceNow } from '../../shared/clock.ts';
import { useForm, wrongFields } from '../../shared/form.ts';
import { language } from '../../shared/preferences.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { useKept } from '../../shared/ui/esc.tsx';
import { Check, Field, TextArea } from '../../shared/ui/Field.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import type { Picture } from '../clinic/picture.ts';
import type { Schemas } from '../data/bookings.ts';
import { uponRead } from '../data/overtaken.ts';
import look from '../ui/page.module.css';
import { whyNot } from '../ui/Shown.tsx';
import { pageWords } from '../words/doctor-page.ts';
import { setup } from '../words/settings.ts';
import { words } from '../words.ts';
import style from './DoctorPage.module.css';
import { Photo } from './Photo.tsx';

type DoctorPage = Schemas['AdminDoctorPage'];

/** The languages that a clinic is likely to offer; others that a page has stay offered. */
const usual = ['id', 'en', 'jv', 'su', 'mad', 'min', 'ban', 'bug', 'zh', 'ar', 'nl', 'ja'];

/** What every address of a page begins with. */
const pagesPath = '/dokter/';

export const pageKey = (doctorId: string) => ['atur', 'halaman-dokter', doctorId];

const readLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);

/** The page of a doctor as the desk writes it. */
export const PageForm = ({ page }: { page: DoctorPage }) => {
  const text = pageWords.value;
  // Undefined for an untouched field: other people's changes show in it, and it is not sent.
  const ownPublished = useSignal<boolean | undefined>(undefined);
  const ownLanguages = useSignal<readonly string[] | undefined>(undefined);
  const photo = useSignal<Picture | null | undefined>(undefined);
  const isSaved = useSignal(false);
  const published = ownPublished.value ?? page.published;
  const spoken = ownLanguages.value ?? page.languages;
  const labels = { slug: text.slug, about: text.text, education: text.education };
  const form = useForm(
    { slug: page.slug ?? '', about: page.about, education: page.education.join('\n') },
    labels,
    async (_, { slug, about, education }) => {
      const next = photo.peek();
      const json = {
        ...(slug && { slug }),
        ...(about !== undefined && { about }),
        ...(education !== undefined && { education: readLines(education) }),
        ...(ownPublished.peek() !== undefined && { published }),
        ...(ownLanguages.peek() !== undefined && { languages: [...spoken] }),
        ...(next !== undefined && { photo_image: next?.base64 ?? null }),
        version: page.version,
      };
      const save = () =>
        take(api.v1.admin.doctors[':id'].page.$patch({ param: { id: page.doctor_id }, json })).finally(() =>
          queries.invalidateQueries({ queryKey: pageKey(page.doctor_id) }),
        );
      await uponRead('doctor_page_changed', save, async () => ({
        id: page.doctor_id,
        updated_at: new Date(serviceNow()).toISOString(),
      }));
      form.clear();
      ownPublished.value = undefined;
      ownLanguages.value = undefined;
      photo.value = undefined;
      isSaved.value = true;
    },
  );
  const { attempt, bind } = form;
  const errors = wrongFields(attempt);
  const isChanged =
    form.isChanged ||
    published !== page.published ||
    ownLanguages.value !== undefined ||
    photo.value !== undefined;
  const { onInput, kept } = useKept({ isPage: true, isChanged, isSent: attempt.busy.value });
  const names = new Intl.DisplayNames([language.value], { type: 'language' });
  const offered = [...new Set([...usual, ...page.languages])];
  return (
    <form class={look.card} onInput={onInput} onSubmit={form.onSubmit}>
      <FormFailure
        failure={attempt.failure.value}
        labels={{ ...labels, languages: text.languages, photo_image: text.photo }}
      />
      <Check
        label={text.published}
        checked={published}
        onChange={(event) => (ownPublished.value = event.currentTarget.checked)}
      />
      <Field
        {...bind('slug')}
        hint={text.slugHint}
        before={pagesPath}
        optional
        maxLength={80}
        spellcheck={false}
      />
      <Photo
        key={page.version}
        now={page.photo_image}
        next={photo.value}
        errors={errors.photo_image}
        onNext={(next) => (photo.value = next)}
      />
      <TextArea {...bind('about')} optional rows={6} maxLength={2000} />
      <TextArea {...bind('education')} hint={text.educationHint} optional rows={4} />
      <fieldset>
        <legend>{text.languages}</legend>
        <div class={style.languages}>
          {offered.map((code) => (
            <Check
              key={code}
              label={text.regional[code] ?? names.of(code) ?? code}
              checked={spoken.includes(code)}
              onChange={(event) => {
                const others = spoken.filter((one) => one !== code);
                ownLanguages.value = event.currentTarget.checked ? [...others, code] : others;
              }}
            />
          ))}
        </div>
      </fieldset>
      {kept}
      <div class={look.line}>
        <Button look="primary" type="submit" busy={attempt.busy.value} why={whyNot()}>
          {words.value.save}
        </Button>
        <span role="status">{isSaved.value && !isChanged ? setup.value.saved : ''}</span>
      </div>
    </form>
  );
};
