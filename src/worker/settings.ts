import { type Config, parseConfig, SettingError } from '../config.ts';

/** The settings among the Worker's bindings, and its secret, which has to be one of them. */
export const parseBindings = (
  bindings: Readonly<Record<string, unknown>>,
): { config: Config; secret: string } => {
  const config = parseConfig(bindings);
  const { JWT_SECRET: secret } = config;
  if (secret === undefined)
    throw new SettingError(
      'JWT_SECRET is not set: it takes a secret of at least 32 bytes (wrangler secret put JWT_SECRET).',
    );
  return { config, secret };
};
