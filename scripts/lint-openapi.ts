// Holds the OpenAPI document against the strictest public rules of Redocly; silent when there is nothing to say.

import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiDocument } from '../src/interface/reference/document.ts';

const config = await createConfig({ extends: ['recommended-strict'] });
const source = JSON.stringify(openApiDocument(), null, 2);
const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config });
for (const { ruleId, message, location } of problems)
  process.stdout.write(`${ruleId}: ${message} (${location.map(({ pointer }) => pointer).join(', ')})\n`);
if (problems.length > 0) process.exitCode = 1;
