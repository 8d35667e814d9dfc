import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { serveBetterAuth } from './serve-better-auth.ts';

await serveBetterAuth({ betterAuth, getMigrations, toNodeHandler });
