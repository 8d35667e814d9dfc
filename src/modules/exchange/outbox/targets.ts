import { type Config, reportsToBpjs } from '../../../core/settings/config.ts';
import type { Target } from './steps.ts';

/** The health systems that visits are reported to; none unless the settings switch one on. */
export const listTargets = (config: Config): readonly Target[] => [
  ...(reportsToBpjs(config) && config.BPJS !== undefined
    ? [{ name: 'bpjs', family: config.BPJS } as const]
    : []),
  ...(config.SATUSEHAT === 'on' ? [{ name: 'satusehat', family: null } as const] : []),
];
