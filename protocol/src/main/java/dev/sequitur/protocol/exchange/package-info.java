/**
 * The exchanges with assured delivery, once each: reliable notification, command and request
 * (specification, "Common message exchange patterns").
 */
package dev.sequitur.protocol.exchange;
