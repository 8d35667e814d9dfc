import { SettingError } from '../../core/settings/parse-settings.ts';

/** What prevents the start and may pass without a change of settings: a port in use, a disk that is not mounted yet. */
export class PassingError extends SettingError {}
