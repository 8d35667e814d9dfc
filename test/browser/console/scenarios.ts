import type { Scenario } from '../support/stage.ts';
import { accounts } from './accounts.ts';
import { calendar } from './calendar.ts';
import { catalog } from './catalog.ts';
import { closures } from './closures.ts';
import { followUps } from './coming/follow-ups.ts';
import { series } from './coming/series.ts';
import { comingStates } from './coming/states.ts';
import { waitlist } from './coming/waitlist.ts';
import { days } from './days.ts';
import { desks } from './desk.ts';
import { doctorPages } from './doctor-page.ts';
import { endedAtDesk } from './ended.ts';
import { exchanging } from './exchanging.ts';
import { farDays } from './far.ts';
import { figures } from './figures.ts';
import { firstRun } from './first-run.ts';
import { flows } from './flows.ts';
import { hands } from './hands.ts';
import { importing } from './importing.ts';
import { limitsAndSchedules } from './limits.ts';
import { longNames } from './long-names.ts';
import { matching } from './matching.ts';
import { nothing } from './nothing.ts';
import { otherSystems } from './other-systems.ts';
import { owns } from './owns.ts';
import { parts } from './parts.ts';
import { questions } from './questions.ts';
import { receivers } from './receivers.ts';
import { records } from './records.ts';
import { refusals } from './refusals.ts';
import { sandboxes } from './sandbox.ts';
import { names, screens } from './screens.ts';
import { sessions } from './session.ts';
import { settingUpStates } from './setting-up-states.ts';
import { slips } from './slips.ts';
import { states } from './states.ts';
import { toldAtOnce } from './told.ts';
import { visits } from './visit.ts';
import { workAccounts } from './work-account.ts';

export const konsol: readonly Scenario[] = [
  ...names,
  ...sessions,
  ...flows,
  ...visits,
  ...hands,
  ...endedAtDesk,
  ...days,
  ...desks,
  ...farDays,
  ...parts,
  ...owns,
  ...calendar,
  ...catalog,
  ...nothing,
  ...longNames,
  ...firstRun,
  ...closures,
  ...accounts,
  ...records,
  ...importing,
  ...matching,
  ...followUps,
  ...series,
  ...waitlist,
  ...comingStates,
  ...receivers,
  ...otherSystems,
  ...sandboxes,
  ...exchanging,
  ...workAccounts,
  ...refusals,
  ...figures,
  ...slips,
  ...doctorPages,
  ...questions,
  ...toldAtOnce,
  ...limitsAndSchedules,
  ...states,
  ...settingUpStates,
  ...screens,
];
