package dev.sequitur.protocol.copying;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Has {@code withX} made for each part of a record, and {@code with()}, which begins a copy in
 * which several change: the record implements the {@code With} of the class that is generated for
 * it. Each copy passes the record's constructor and so its checks.
 */
@RecordBuilder.Template(
    options =
        @RecordBuilder.Options(
            builderClassModifiers = {},
            addStaticBuilder = false,
            enableGetters = false))
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface Copyable {}
