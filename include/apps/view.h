#ifndef APPS_VIEW_H
#define APPS_VIEW_H

#include "json/doc.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
