/* sw.js - the service worker: after the first visit, the page also works offline. Public domain. */
'use strict';

/* page.py fills in these two: the names of all parts of this version, and the names of the parts that the first visit
   loads. */
const PARTS = [], FIRST = [];

addEventListener('install', event => {
  skipWaiting();
  event.waitUntil(caches.open('parts').then(cache => cache.addAll(['./', ...FIRST])));
});

/* Removes the parts of older versions from the cache. */
addEventListener('activate', event => event.waitUntil((async () => {
  const cache = await caches.open('parts'), current = new Set([...PARTS, ''].map(name => new URL(name, registration.scope).href));
  for (const request of await cache.keys()) if (!current.has(request.url)) await cache.delete(request);
})()));

/* Parts come from the cache, because the name of a part changes with its content. The page itself comes from the network,
   and from the cache only if there is no connection. */
addEventListener('fetch', event => {
  const { request } = event, isPart = /-[0-9a-f]{8}\.\w+$/.test(request.url);
  if (request.method !== 'GET' || !request.url.startsWith(registration.scope) || !isPart && request.mode !== 'navigate') return;
  event.respondWith((async () => {
    const cache = await caches.open('parts'), key = isPart ? request : './', cached = await cache.match(key);
    if (isPart && cached) return cached;
    try {
      const answer = await fetch(request);
      if (answer.ok) await cache.put(key, answer.clone());
      return answer;
    } catch (why) {
      if (cached) return cached;
      throw why;
    }
  })());
});
