import type { Scenario } from '../support/stage.ts';
import { flows } from './flows.ts';
import { screens } from './screens.ts';
import { sessions } from './session.ts';

export { settings } from './steps.ts';

export const konsol: readonly Scenario[] = [...sessions, ...flows, ...screens];
