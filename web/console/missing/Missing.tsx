import { ButtonLink } from '../../shared/ui/Button.tsx';
import { useMissing } from '../data/setup.ts';
import { Page } from '../shell/Page.tsx';
import look from '../ui/page.module.css';
import { Age, Shown } from '../ui/Shown.tsx';
import { beginning } from '../words/first-run.ts';
import { words } from '../words.ts';
import { MissingList } from './MissingList.tsx';

/** What the clinic still needs, for its admins. */
const Missing = () => {
  const state = useMissing().value;
  const text = beginning.value.ready;
  return (
    <Page title={words.value.nav.siap}>
      <Age of={state} />
      <div class={look.body}>
        <Shown of={state}>
          {({ missing }) => (
            <>
              <MissingList missing={missing} />
              {missing.length > 0 && <p class={look.soft}>{text.about}</p>}
              <div>
                <ButtonLink href="/mulai/">{text.again}</ButtonLink>
              </div>
            </>
          )}
        </Shown>
      </div>
    </Page>
  );
};

export default Missing;
