// 1.4 hashes passwords in JavaScript (@noble/hashes), 1.6 by the scrypt of Node.
import { betterAuth } from 'better-auth-1.4';
import { getMigrations } from 'better-auth-1.4/db';
import { toNodeHandler } from 'better-auth-1.4/node';
import { type BetterAuth, serveBetterAuth } from './serve-better-auth.ts';

await serveBetterAuth({ betterAuth, getMigrations, toNodeHandler } as unknown as BetterAuth);
