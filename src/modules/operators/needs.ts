import type { SecretBox } from '../../core/crypto/sealing.ts';
import type { Hasher, IsCommonPassword } from '../../core/deps.ts';
import type { Logger } from '../../core/log.ts';
import type { Mailer } from '../../core/mailer.ts';
import type { LoginNeeds } from './login.ts';
import type { Premises } from './premises.ts';
import type { SignupNeeds } from './signup.ts';

/** What the operators' routes need of a runtime. */
export interface OperatorNeeds extends LoginNeeds {
  clientAddress: (request: Request, bindings: unknown) => string;
  premises: Premises;
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
