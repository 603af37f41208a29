/** JSON of strangers: read strictly and within limits, compared by content, taken apart by type. */
package dev.sequitur.json;
