import type { SecretBox } from '../../core/crypto/sealing.ts';
import type { Deps, Hasher, IsCommonPassword } from '../../core/deps.ts';
import type { Serve } from '../../core/http/observed.ts';
import type { Logger } from '../../core/log.ts';
import type { Mailer } from '../../core/mailer.ts';
import type { ClinicHosting } from './hosting.ts';
import type { LoginNeeds } from './login.ts';
import type { SignupNeeds } from './signup.ts';

/** What the operators' routes need of a runtime. */
export interface OperatorNeeds extends LoginNeeds {
  clientAddress: (request: Request, bindings: unknown) => string;
  hosting: ClinicHosting;
  log: Logger;
  mailer: Mailer;
  /** With which programs do what the page does; null where none may. */
  secret: string | null;
  hasher: Hasher;
  box: Pick<SecretBox, 'open' | 'seal'>;
  commonPasswords: () => Promise<IsCommonPassword>;
  /** What clinics that sign up need; null where none may. */
  signup: Pick<SignupNeeds, 'origin' | 'background'> | null;
}

/** Mounts what a deployment of many clinics answers by itself; src/deployment.ts has it. */
export type MountDeployment = (
  serve: Serve,
  needs: OperatorNeeds & {
    publicFile: NonNullable<Deps['publicFile']>;
    /** Throws `Unavailable` where the deployment cannot serve. */
    assertReady: () => Promise<unknown>;
  },
) => void;
